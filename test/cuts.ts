/** Inputs up to this length are cut everywhere. */
const SMALL = 4096;
const LARGE_CHUNKS = [1, 2, 3, 5, 7, 9, 13, 64, 1460, 4096, 16384, 65536];
const RANDOM_CUTS = 200;

/**
 * The cuts that a result must not depend on. Each cut is the ascending list of chunk ends, the last one `length`; a chunk is never
 * empty. Up to 4 KiB: all two-part cuts and all chunk sizes. Above: a list of chunk sizes, one octet around every unit border, and
 * 200 random cuts (the same ones in every run).
 * @param borders offsets where units begin or end; used for large inputs only.
 */
export function* everyCut(length: number, borders: readonly number[] = []): Generator<readonly number[]> {
  yield chunksOf(length, length);
  if (length <= SMALL) {
    for (let at = 1; at < length; at++) yield [at, length];
    for (let size = 1; size < length; size++) yield chunksOf(length, size);
    return;
  }
  for (const size of LARGE_CHUNKS) if (size < length) yield chunksOf(length, size);
  for (const at of new Set(borders.flatMap((border) => [border - 1, border, border + 1]))) {
    if (at > 0 && at < length) yield [at, length];
  }
  const random = seeded(0x5eed);
  for (let n = 0; n < RANDOM_CUTS; n++) yield randomCut(length, random);
}

/** Chunks of `size` octets, the last one shorter. */
export function chunksOf(length: number, size: number): readonly number[] {
  const ends: number[] = [];
  for (let at = size; at < length; at += size) ends.push(at);
  if (length > 0) ends.push(length);
  return ends;
}

/** `bytes` in the pieces that `cut` names. */
export function pieces(bytes: Uint8Array, cut: readonly number[]): Uint8Array[] {
  return cut.map((end, index) => bytes.subarray(index === 0 ? 0 : cut[index - 1], end));
}

function randomCut(length: number, random: () => number): readonly number[] {
  const count = 1 + Math.floor(random() * 12);
  const ends = new Set<number>();
  for (let n = 0; n < count; n++) ends.add(1 + Math.floor(random() * (length - 1)));
  ends.add(length);
  return [...ends].sort((a, b) => a - b);
}

/** A small linear congruential generator, so that a failing cut comes back in the next run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
