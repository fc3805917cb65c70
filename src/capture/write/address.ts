const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const V6_GROUP = /^[\da-f]{1,4}$/i;
const V6_OCTETS = 16;
const GROUPS = 8;
/** RFC 4291 §2.5.5.2: ::ffff:0:0/96 holds the IPv4 addresses. */
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** An address of 4 or 16 octets and a port. */
export interface Endpoint {
  readonly address: Uint8Array;
  readonly port: number;
}

/** The parts of `host:port` or `[v6]:port`; null when it is neither. The host is not looked at. */
export function splitHostPort(text: string): { readonly host: string; readonly port: number } | null {
  const parts = /^(?:\[([^\]]*)\]|([^:[\]/]+)):(\d{1,5})$/.exec(text);
  const port = Number(parts?.[3]);
  return parts === null || port > 0xffff ? null : { host: parts[1] ?? parts[2] ?? "", port };
}

/**
 * The octets of an address: 4, or 16 in the forms of RFC 4291 §2.2; an IPv4-mapped one gives its 4. A zone (`%eth0`) is left out.
 * @returns null: the text is no address.
 */
export function parseAddress(text: string): Uint8Array | null {
  const v4 = parseV4(text);
  if (v4 !== null || !text.includes(":")) return v4;
  const v6 = parseV6(text.replace(/%.*$/s, ""));
  return v6 !== null && MAPPED_PREFIX.every((octet, at) => v6[at] === octet) ? v6.subarray(MAPPED_PREFIX.length) : v6;
}

/** The address in the IPv6 form: an IPv4 one is mapped, RFC 4291 §2.5.5.2. */
export function toV6(address: Uint8Array): Uint8Array {
  return address.length === V6_OCTETS ? address : Uint8Array.of(...MAPPED_PREFIX, ...address);
}

/** `address:port` for comments; the groups of IPv6 are not shortened. */
export function formatEndpoint({ address, port }: Endpoint): string {
  if (address.length !== V6_OCTETS) return `${address.join(".")}:${port}`;
  const groups = Array.from({ length: GROUPS }, (_, at) =>
    (((address[2 * at] ?? 0) << 8) | (address[2 * at + 1] ?? 0)).toString(16),
  );
  return `[${groups.join(":")}]:${port}`;
}

function parseV4(text: string): Uint8Array | null {
  const octets = V4.exec(text)?.slice(1).map(Number);
  return octets?.every((octet) => octet <= 0xff) ? Uint8Array.from(octets) : null;
}

function parseV6(text: string): Uint8Array | null {
  const halves = text.split("::");
  const [front, back = []] = halves.map((half, at) => (half === "" ? [] : groupsOf(half, at === halves.length - 1)));
  if (halves.length > 2 || !front || !back) return null;
  const missing = GROUPS - front.length - back.length;
  // `::` stands for one group at least.
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...front, ...Array<number>(missing).fill(0), ...back];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** Groups between colons; at the end of an address the last may be an IPv4 address, which is two. */
function groupsOf(text: string, atEnd: boolean): number[] | null {
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [at, part] of parts.entries()) {
    const v4 = atEnd && at === parts.length - 1 ? parseV4(part) : null;
    if (v4 !== null) groups.push(((v4[0] ?? 0) << 8) | (v4[1] ?? 0), ((v4[2] ?? 0) << 8) | (v4[3] ?? 0));
    else if (V6_GROUP.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}
