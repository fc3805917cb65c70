/** `did you mean status?`, or "" when no candidate is close to `word`; case does not matter. @param quote put around the candidate. */
export function didYouMean(word: string, candidates: readonly string[], quote = ""): string {
  const nearest = nearestWord(word.toLowerCase(), candidates);
  return nearest === null ? "" : `did you mean ${quote}${nearest}${quote}?`;
}

/** Longer words are no misspelt names; it bounds the work, too. */
const LONGEST = 64;

/** The first candidate with the fewest edits: at most one for three characters. */
function nearestWord(word: string, candidates: readonly string[]): string | null {
  if (word.length > LONGEST) return null;
  let best: string | null = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = editDistance(word, candidate.toLowerCase());
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

/** Optimal string alignment: characters added, dropped, replaced, and neighbours swapped. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const cell = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let i = 1; i <= from.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= to.length; j++) {
      const replaced = cell(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      rows[i]?.push(Math.min(replaced, cell(i - 1, j) + 1, cell(i, j - 1) + 1, swapped ? cell(i - 2, j - 2) + 1 : replaced));
    }
  }
  return cell(from.length, to.length);
}
