import type { ConnectionTally, ExchangeTally, Tally } from "../ledger/tally.ts";
import type { Redactor } from "./redact.ts";
import { TextRedactor } from "./redact-text.ts";

/** A tally without the secrets that its texts may hold: targets, authorities, routes and notes. Figures are untouched. */
export function redactTally(tally: Tally, secrets: Redactor): Tally {
  const redactor = new TextRedactor(secrets);
  return {
    ...tally,
    connections: tally.connections.map((connection) => redactConnection(connection, redactor)),
    routes: tally.routes.map((route) => ({ ...route, route: redactor.text(route.route) })),
  };
}

/** The same for a single exchange. */
export function redactExchange(exchange: ExchangeTally, redactor: TextRedactor): ExchangeTally {
  const { method, authority, path, route } = exchange;
  return {
    ...exchange,
    authority: authority === null ? null : redactor.authority(authority),
    path: path === null ? null : redactor.target(method, path),
    route: route === null ? null : redactor.text(route),
  };
}

function redactConnection(connection: ConnectionTally, redactor: TextRedactor): ConnectionTally {
  return {
    ...connection,
    exchanges: connection.exchanges.map((exchange) => redactExchange(exchange, redactor)),
    notes: connection.notes.map((note) => ({ ...note, text: redactor.text(note.text) })),
  };
}
