import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import {
  type Carried,
  capturePath,
  differences,
  FACTS,
  nothing,
  readCarried,
  type ToldConnection,
  type TruthStream,
  truthCaptures,
  truthCarried,
  truthOf,
} from "../../../test/capture-truth.ts";
import { skipWithoutProgram } from "../../../test/read-packets.ts";
import { openSums } from "../../../test/scripted-wire.ts";
import { skipWithoutShared } from "../../../test/shared.ts";
import { DIRECTION_NAMES } from "../../decode/direction.ts";

// Packets, streams, octets, holes and SHA-256 are held against the same truth files in ./read.test.ts and ./tcp.test.ts.

/** README and captures.tsv: "neither pcap nor pcapng", "not a capture file: must be refused"; read.test.ts has their messages. */
const REFUSED = ["pcapplusplus/file_heuristics__bogus-content.txt", "pcapplusplus/solaris.snoop"];

/** captures.tsv: "the same packets … with the secrets inside the file"; its truth names no key log, and has what is inside of TLS. */
const SECRETS_INSIDE = "local-thirdparty/tls13-h2-curl-parallel-aes128-dsb.pcapng";

const AFTER_GAP = "README: HTTP/1 counts miss everything after a gap until tshark re-synchronizes";
const UNFINISHED =
  "RFC 9112 §2.1: the head is whole, so there is a message; tshark lists one when its body is, and the body's end is not in the capture";
const ONE_SIDE = "README: HTTP/1 counts miss requests on streams with one side only";
const EVASION = "README: smuggling and evasion cases (zeek http__261) are read one way by tshark: other readings are legitimate";
const FUZZED = "README: fuzzed file; damaged sequence numbers make tshark wait for octets that never were";
const NOT_BY_PORT =
  "captures.tsv: tshark does not know a protocol on unusual ports (RFC 9110 §4.2: any may serve); told it with -d it agrees";
const NO_VERSION = "RFC 9112 §3: a request-line ends in HTTP-version; HTTP/0.9 has none";

/** How tshark is asked again, so that it need not wait for a message's last octet. */
const AT_ONCE = ["-o", "tcp.desegment_tcp_streams:FALSE", "-o", "http.desegment_body:FALSE"];

/** Differences in HTTP/1 in which tshark, asked in another way, agrees with us: why, and how it is asked. */
const AGREES_WHEN_ASKED: Readonly<Record<string, readonly [why: string, args: readonly string[]]>> = {
  "zeek-traces/erspan.pcap 0 ba responses": [AFTER_GAP, AT_ONCE],
  "zeek-traces/erspan.pcap 1 ba responses": [AFTER_GAP, AT_ONCE],
  "zeek-traces/erspan.pcap 3 ba responses": [AFTER_GAP, AT_ONCE],
  "zeek-traces/http__content-range-gap.pcap 0 ba responses": [AFTER_GAP, AT_ONCE],
  "zeek-traces/http__entity_gap.pcap 0 ba responses": [AFTER_GAP, AT_ONCE],
  "zeek-traces/http__get-to-ssh-server.pcap 0 ab requests": [NOT_BY_PORT, ["-d", "tcp.port==22,http"]],
  "zeek-traces/tcp-http-with-padding.pcap 0 ab requests": [NOT_BY_PORT, ["-d", "tcp.port==27272,http"]],
  "suricata-verify/base64.pcap 0 ba responses": [UNFINISHED, AT_ONCE],
  "suricata-verify/http-close-headers.pcap 0 ba responses": [UNFINISHED, AT_ONCE],
  "suricata-verify/http-connect-fragmented.pcap 0 ba responses": [
    NOT_BY_PORT,
    ["-d", "tcp.port==8001,http", "-d", "tcp.port==443,http"],
  ],
  "suricata-verify/http-gap-beyond-body.pcap 0 ba responses": [AFTER_GAP, AT_ONCE],
  "suricata-verify/http-gap-double.pcap 0 ba responses": [AFTER_GAP, AT_ONCE],
  "suricata-verify/http-gap-simple.pcap 0 ba responses": [AFTER_GAP, AT_ONCE],
  "suricata-verify/http-pipeline-files-with-gap.pcap 0 ba responses": [AFTER_GAP, AT_ONCE],
  "suricata-verify/tcp-rst-unacked-stream-07-http.pcap 0 ab requests": [AFTER_GAP, AT_ONCE],
  "suricata-verify/tcp-urgp-01-oob__tcp-urgent1.pcap 0 ab requests": [NOT_BY_PORT, ["-d", "tcp.port==9090,http"]],
  "ndpi/fuzz-2006-09-29-28586.pcap 17 ab requests": [FUZZED, AT_ONCE],
  "ndpi/fuzz-2006-09-29-28586.pcap 19 ab requests": [FUZZED, AT_ONCE],
  "ndpi/fuzz-2006-09-29-28586.pcap 26 ab requests": [FUZZED, AT_ONCE],
  "ndpi/fuzz-2006-09-29-28586.pcap 27 ab responses": [FUZZED, AT_ONCE],
  "ndpi/fuzz-2006-09-29-28586.pcap 30 ab responses": [FUZZED, AT_ONCE],
  "ndpi/fuzz-2006-09-29-28586.pcap 33 ba responses": [FUZZED, AT_ONCE],
  "ndpi/http-manipulated.pcap 1 ba responses": [UNFINISHED, AT_ONCE],
  "ndpi/soap.pcap 1 ab requests": [UNFINISHED, AT_ONCE],
  "deepflow/istio-tcp-frag.pcap 0 ba responses": [UNFINISHED, AT_ONCE],
  "pcapplusplus/PartialHttpRequest.pcap 0 ab requests": [UNFINISHED, AT_ONCE],
  "pcapplusplus/raw_ip.pcap 1 ba responses": [UNFINISHED, AT_ONCE],
  "pcapplusplus/unidirectional_tcp_stream_with_missing_packet.pcap 0 ab requests": [ONE_SIDE, AT_ONCE],
};

/** Differences in which another reading is the right one, and what says so. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "zeek-traces/http__261__variant-03-cl_negative.pcap 0 ab requests": EVASION,
  "zeek-traces/http__261__variant-09-te_obs_fold.pcap 0 ab requests": `${EVASION}; RFC 9112 §5.2: an obs-fold is read as one or more SP`,
  "zeek-traces/http__http-09-content-length-confusion.pcap 0 ab requests": NO_VERSION,
  "zeek-traces/http__query-method.pcap 0 ab requests":
    "RFC 9110 §9.1: a method is any token; tshark 4.0 knows no QUERY, and calls the line data",
  "zeek-traces/tls__https-to-http.pcap 0 ab tls":
    "RFC 8446 §5.1: a whole record of a ClientHello; tshark takes port 80 for HTTP and finds it with -d tcp.port==80,tls",
  "zeek-traces/tls__ssl-v2.pcap 0 ab tls":
    "RFC 6176 §2: SSL 2.0 is not TLS; its records have no content type, nor have the truth's",
  "zeek-traces/tls__ssl-v2.pcap 0 ba tls":
    "RFC 6176 §2: SSL 2.0 is not TLS; its records have no content type, nor have the truth's",
  "suricata-verify/http-connect-tls.pcap 0 ab tls":
    "RFC 8446 §5.1: no handshake record is empty; 16 03 00 00 00 and nine more zeros are not TLS",
  "suricata-verify/http-missing-protocol.pcap 0 ab requests": NO_VERSION,
  "suricata-verify/http-multiple-cl.pcap 0 ab requests":
    "RFC 9112 §6.3: two Content-Length that differ are an unrecoverable error; where the next request begins is not known",
  "suricata-verify/http-uri-spaces.pcap 0 ab requests":
    "RFC 9112 §3: whitespace in a request-target is invalid; the target is what stands between method and version, tshark's ends at the first",
  "suricata-verify/http1-noint-status.pcap 0 ba responses": "RFC 9112 §4: a status-code is three digits",
  "ndpi/http-manipulated.pcap 1 ab requests":
    "RFC 9112 §3: more than one SP before the request-target may be read as one; tshark's target is empty",
  "ndpi/tls_missing_ch_frag.pcap 0 ba tls":
    "RFC 8446 §5.1: a record's header says where the next begins; 481 octets within a record are not in the capture, and tshark drops it",
  "suricata-verify/drop-protocol-change.pcap 0 ab frames":
    "RFC 7540 §3.2: the server's first frame is SETTINGS, behind the head of the 101 in its packet; tshark goes on with the next packet",
  "deepflow/grpc-unknown.pcap 0 ab messages": "README: tshark's gRPC dissector stops with a dissector bug; its count is too low",
  "deepflow/grpc-unknown.pcap 0 ba messages": "README: tshark's gRPC dissector stops with a dissector bug; its count is too low",
};

/** captures.tsv: "tshark leaves those 15 bytes undissected". */
const UNDISSECTED: Readonly<Record<string, string>> = {
  "local-thirdparty/h2c-upgrade-and-prior-knowledge-curl.pcap 0 ba frames": "a bare 15-octet SETTINGS frame",
  "local-thirdparty/h2c-upgrade-and-prior-knowledge-curl.pcap 2 ba frames": "a bare 15-octet SETTINGS frame",
};

const skip = skipWithoutShared("corpora");

test("every capture: HTTP/1, HTTP/2, gRPC and TLS as the truth file has them, and the ledger closes", { skip }, async (t) => {
  const found: string[] = [];
  const total = { captures: 0, directions: 0, frames: 0, lines: 0, messages: 0, http1: 0, records: 0 };
  for (const capture of truthCaptures()) {
    if (REFUSED.includes(capture)) continue;
    const truth = truthOf(capture);
    const { reading, connections } = await readCarried(capturePath(capture));
    total.captures += 1;
    assert.deepEqual([openSums(reading.tally), reading.broken], [[], 0], `${capture}: the ledger closes`);
    assert.ok(
      connections.every(({ closed }) => closed),
      `${capture}: every connection is closed`,
    );
    assert.ok(
      reading.tally.connections.every((connection) => DIRECTION_NAMES.every((name) => connection[name].pending === 0)),
      `${capture}: nothing is pending`,
    );
    const keys = truth.keylog !== null || capture === SECRETS_INSIDE;
    for (const [stream, connection] of paired(truth.tcpStreams, connections)) {
      for (const direction of ["ab", "ba"] as const) {
        const got = carriedBy(connection, stream, direction);
        const wanted = truthCarried(truth, stream, direction);
        found.push(...differences(got, wanted, keys).map((fact) => `${capture} ${stream.stream} ${direction} ${fact}`));
        total.directions += 1;
        total.frames += Object.values(got.frames).reduce((sum, [frames]) => sum + frames, 0);
        total.lines += Object.values(got.fields).reduce((sum, lines) => sum + lines.length, 0);
        total.messages += got.messages.length;
        total.http1 += got.requests.length + got.responses.length;
        total.records += got.tls.records;
      }
    }
  }
  const expected = [AGREES_WHEN_ASKED, EXCEPTIONS, UNDISSECTED].flatMap((table) => Object.keys(table));
  assert.deepEqual(found.sort(), expected.sort());
  assert.deepEqual(
    [AGREES_WHEN_ASKED, EXCEPTIONS, UNDISSECTED].map((table) => Object.keys(table).length),
    [28, 17, 2],
  );
  assert.ok(total.captures > 290 && total.frames > 400 && total.http1 > 2000 && total.records > 1000, JSON.stringify(total));
  t.diagnostic(`${JSON.stringify(total)}, ${FACTS.length} facts a direction; 47 exceptions`);
});

const noTshark = skip || skipWithoutProgram("tshark");

test("where HTTP/1 differs from the truth file, tshark agrees when it is asked in another way", { skip: noTshark }, async () => {
  for (const [place, [, args]] of Object.entries(AGREES_WHEN_ASKED)) {
    const [capture = "", at = "", direction = "", fact = ""] = place.split(" ");
    const truth = truthOf(capture);
    const { connections } = await readCarried(capturePath(capture));
    const [stream, connection] = paired(truth.tcpStreams, connections).find(([{ stream }]) => `${stream}` === at) ?? [];
    assert.ok(stream !== undefined && connection !== undefined, place);
    assert.ok(direction === "ab" || direction === "ba", place);
    assert.ok(fact === "requests" || fact === "responses", place);
    const sender = direction === "ab" ? stream.a : stream.b;
    const asked = askTshark(capturePath(capture), at, sender.slice(sender.lastIndexOf(":") + 1), args)[fact];
    assert.deepEqual(carriedBy(connection, stream, direction)[fact], asked, place);
  }
});

/** Requests and responses that tshark finds in what one port of a stream sent. */
function askTshark(path: string, stream: string, port: string, args: readonly string[]): Pick<Carried, "requests" | "responses"> {
  const fields = ["http.request.method", "http.request.uri", "http.response.code"].flatMap((field) => ["-e", field]);
  const filter = `tcp.stream==${stream} && tcp.srcport==${port} && http`;
  const { stdout } = spawnSync("tshark", ["-n", "-r", path, ...args, "-Y", filter, "-T", "fields", ...fields], {
    encoding: "utf8",
  });
  const found: Pick<Carried, "requests" | "responses"> = { requests: [], responses: [] };
  for (const line of stdout.split("\n")) {
    const [methods = "", targets = "", codes = ""] = line.split("\t");
    const uris = targets.split(",");
    if (methods !== "") found.requests.push(...methods.split(",").map((method, index) => `${method} ${uris[index]}`));
    if (codes !== "") found.responses.push(...codes.split(",").map(Number));
  }
  return found;
}

/** Each stream with its connection: both are in the order of their first packets. */
function paired(
  streams: readonly TruthStream[],
  connections: readonly ToldConnection[],
): (readonly [TruthStream, ToldConnection | undefined])[] {
  const left = [...connections];
  return streams.map((stream) => {
    const ends = [stream.a, stream.b].sort().join();
    const index = left.findIndex(({ facts }) => [plain(facts.client), plain(facts.server)].sort().join() === ends);
    return [stream, index < 0 ? undefined : left.splice(index, 1)[0]];
  });
}

function carriedBy(connection: ToldConnection | undefined, { a }: TruthStream, direction: "ab" | "ba"): Carried {
  if (connection === undefined) return nothing();
  return (plain(connection.facts.client) === a) === (direction === "ab") ? connection.c2s : connection.s2c;
}

/** The truth files put no brackets around IPv6 addresses. */
function plain(endpoint: string): string {
  return endpoint.replace(/[[\]]/g, "");
}
