import type { ConnectionTally, ExchangeTally, FieldTally, Tally } from "../ledger/tally.ts";
import type { Redactor } from "./redact.ts";
import { TextRedactor } from "./redact-text.ts";

/** A tally without the secrets that its texts may hold: methods, targets, authorities, routes, names and notes. Figures are untouched. */
export function redactTally(tally: Tally, secrets: Redactor): Tally {
  const redactor = new TextRedactor(secrets);
  return {
    ...tally,
    connections: tally.connections.map((connection) => redactConnection(connection, redactor)),
    routes: tally.routes.map((route) => ({ ...route, route: redactor.route(route.route) })),
  };
}

/** The same for a single exchange. */
export function redactExchange(exchange: ExchangeTally, redactor: TextRedactor): ExchangeTally {
  const { method, authority, path, route } = exchange;
  return {
    ...exchange,
    method: method === null ? null : redactor.method(method),
    authority: authority === null ? null : redactor.authority(authority),
    path: path === null ? null : redactor.target(path),
    route: route === null ? null : redactor.route(route),
  };
}

function redactConnection(connection: ConnectionTally, redactor: TextRedactor): ConnectionTally {
  const redactField = (field: FieldTally): FieldTally =>
    field.name === null ? field : { ...field, name: redactor.fieldName(field.name) };
  return {
    ...connection,
    fields: { c2s: connection.fields.c2s.map(redactField), s2c: connection.fields.s2c.map(redactField) },
    exchanges: connection.exchanges.map((exchange) => redactExchange(exchange, redactor)),
    notes: connection.notes.map((note) => ({ ...note, text: redactor.text(note.text) })),
  };
}
