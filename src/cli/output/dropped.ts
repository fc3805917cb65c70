import type { NoteEvent } from "../../views/events.ts";

/** What the trace says in the place of lines that its reader was too slow for. */
export function droppedLines(writes: number): string {
  return `; ${writes} entries of the trace are missing here: its reader is slower than the traffic (the tally is exact)\n`;
}

/** The same as an event. */
export function droppedEvents(writes: number): string {
  const note: NoteEvent = {
    schema: "wiretally.event/1",
    event: "note",
    time: `${new Date().toISOString().slice(0, -1)}000000Z`,
    connection: null,
    exchange: null,
    direction: null,
    offset: null,
    octets: null,
    code: "events-dropped",
    severity: "limit",
    ref: null,
    text: `${writes} events are missing here: the reader is slower than the traffic (the tally is exact)`,
  };
  return `${JSON.stringify(note)}\n`;
}
