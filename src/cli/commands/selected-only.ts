import type { ConversationSink } from "../../capture/write/capture-sink.ts";
import type { ConnectionSelection } from "../../views/filter/connection-selection.ts";

/** A sink that is told of the selected connections only. */
export function selectedOnly(sink: ConversationSink, selection: ConnectionSelection): ConversationSink {
  const select =
    <A extends readonly unknown[]>(tell: (id: string, ...rest: A) => void) =>
    (id: string, ...rest: A): void => {
      if (selection.has(id)) tell(id, ...rest);
    };
  return {
    open: (connection, timeNs, late) => {
      if (selection.has(connection.id)) sink.open(connection, timeNs, late);
    },
    delta: select((id, direction, octets, timeNs) => sink.delta(id, direction, octets, timeNs)),
    gap: select((id, direction, octets, timeNs) => sink.gap(id, direction, octets, timeNs)),
    fin: select((id, direction, timeNs) => sink.fin(id, direction, timeNs)),
    reset: select((id, direction, timeNs) => sink.reset(id, direction, timeNs)),
    note: select((id, text, direction) => sink.note(id, text, direction)),
    leave: select((id, timeNs) => sink.leave(id, timeNs)),
  };
}
