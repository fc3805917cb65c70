/** What a terminal shows, as an SVG image: text with colours (SGR sequences) in, one text element a word or phrase out. */

const CELL = { width: 8.4, height: 18 };
const FONT_SIZE = 14;
const MARGIN = 20;
const BACKGROUND = "#0d1117";
const FOREGROUND = "#d0d7de";
const FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";
/** The sixteen colours, by the SGR code that chooses them as the foreground. */
const COLOURS = new Map([
  [30, "#484f58"],
  [31, "#ff7b72"],
  [32, "#3fb950"],
  [33, "#e3b341"],
  [34, "#58a6ff"],
  [35, "#bc8cff"],
  [36, "#39c5cf"],
  [37, "#b1bac4"],
  [90, "#8b949e"],
  [91, "#ffa198"],
  [92, "#56d364"],
  [93, "#f2cc60"],
  [94, "#79c0ff"],
  [95, "#d2a8ff"],
  [96, "#56d4dd"],
  [97, "#f0f6fc"],
]);
// biome-ignore lint/suspicious/noControlCharactersInRegex: SGR sequences begin with ESC
const SGR = /\x1b\[([\d;]*)m/;

/**
 * The image of a terminal.
 * @param {string} text lines of text; characters of one cell each. Throws an Error for an escape sequence other than bold and the sixteen colours.
 * @param {string} label what the image shows, for those who cannot see it.
 * @returns {string} an SVG document with a line end.
 */
export function terminalSvg(text, label) {
  const lines = paintedLines(text);
  const columns = Math.max(...lines.map((parts) => parts.reduce((cells, part) => cells + part.text.length, 0)));
  const [width, height] = [2 * MARGIN + columns * CELL.width, 2 * MARGIN + lines.length * CELL.height].map(Math.ceil);
  const rows = lines.flatMap((parts, row) => elements(parts, MARGIN + row * CELL.height + FONT_SIZE));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(label)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family="${FONTS}" font-size="${FONT_SIZE}" fill="${FOREGROUND}">`,
    ...rows,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Lines as parts of one look each. */
function paintedLines(text) {
  const lines = [[]];
  const look = { bold: false, colour: null };
  // A pattern with a group: the codes stand at the odd places.
  for (const [at, piece] of text.replace(/\n$/, "").split(SGR).entries()) {
    if (at % 2 === 1) {
      for (const code of piece.split(";")) applyCode(look, Number(code));
      continue;
    }
    for (const [index, part] of piece.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1).push({ text: part, ...look });
    }
  }
  return lines;
}

function applyCode(look, code) {
  if (code === 0) Object.assign(look, { bold: false, colour: null });
  else if (code === 1) look.bold = true;
  else if (code === 22) look.bold = false;
  else if (code === 39) look.colour = null;
  else if (COLOURS.has(code)) look.colour = COLOURS.get(code);
  else throw new Error(`the picture has no way to show SGR ${code}`);
}

/** Each phrase is stretched to its cells, so that columns stand below each other in any font. */
function elements(parts, y) {
  const made = [];
  let column = 0;
  for (const { text, bold, colour } of parts) {
    // Single spaces are left inside of a phrase.
    for (const { 0: phrase, index } of text.matchAll(/\S+(?: \S+)*/g)) {
      const x = fixed(MARGIN + (column + index) * CELL.width);
      const looks = `${bold ? ' font-weight="bold"' : ""}${colour === null ? "" : ` fill="${colour}"`}`;
      const length = `textLength="${fixed(phrase.length * CELL.width)}" lengthAdjust="spacingAndGlyphs"`;
      made.push(`<text x="${x}" y="${y}" ${length}${looks}>${escapeXml(phrase)}</text>`);
    }
    column += text.length;
  }
  return made;
}

function fixed(number) {
  return String(Math.round(number * 10) / 10);
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
