import { cells } from "./columns.ts";

const ELLIPSIS = "…";

/** `text` in at most `width` cells: what is too much in its middle becomes `…`, since names differ at both ends. */
export function cutMiddle(text: string, width: number): string {
  if (cells(text) <= width) return text;
  const characters = [...text];
  const room = Math.max(width - 1, 0);
  const head = taken(characters, Math.ceil(room / 2));
  const tail = taken(characters.slice(head.length).reverse(), room - cells(head.join("")));
  return head.join("") + ELLIPSIS + tail.reverse().join("");
}

/** The first characters that fit into `room` cells. */
function taken(characters: readonly string[], room: number): string[] {
  let used = 0;
  const end = characters.findIndex((character) => {
    used += cells(character);
    return used > room;
  });
  return end < 0 ? [...characters] : characters.slice(0, end);
}
