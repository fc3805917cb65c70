import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { compareRuns } from "./compare-runs.ts";
import { DOCUMENT } from "./http-server.ts";
import { listenFor } from "./listen.ts";
import { runProgram } from "./program.ts";

for (const version of ["1.2", "1.3"]) {
  test(`curl -k through TLS ${version}, passed through`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "wiretally-tls-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const made = await runProgram(
      // biome-ignore format: an argument list reads best as one line
      ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost", "-keyout", key, "-out", cert],
    );
    assert.equal(made.exitCode, 0, made.stderr);

    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
      response.sendDate = false;
      response.end(DOCUMENT);
    });
    const serverPort = await listenFor(t, server);
    const { seen, tally } = await compareRuns(t, serverPort, (port) => {
      const only = ["-sS", "-i", "-k", "--tls-max", version, `--tlsv${version}`];
      return runProgram(["curl", ...only, `https://127.0.0.1:${port}/document`]);
    });
    assert.ok(seen.stdout.endsWith(DOCUMENT.toString("latin1")));
    assert.equal(tally.connections[0]?.protocol, "tls");
    // RFC 8446 §5.1: content type 23 is application data; its header stays readable.
    const { by_category: parts } = tally.totals.s2c;
    assert.ok((parts["tls.encrypted"] ?? 0) > DOCUMENT.length);
    assert.ok((parts["tls.handshake"] ?? 0) > 0);
    assert.equal((parts["tls.record_header"] ?? 0) % 5, 0);
  });
}
