// Which test file is of which kind: told by its folder.
import { existsSync, readdirSync } from "node:fs";
import { ROOT } from "./command.mjs";

/** Folders whose tests open sockets or start programs: a process a file. */
const SOCKET_FOLDERS = ["src/proxy", "src/capture", "src/servers", "src/bench", "src/cli", "test/run"];

/** Tests with real clients from outside: a step each, see peer-steps.mjs. */
const PEER_FOLDER = "test/peers";

/** Paths from the root, sorted. */
export function socketTestFiles() {
  return SOCKET_FOLDERS.flatMap((folder) => testFilesUnder(folder));
}

/** Paths from the root, sorted. */
export function peerTestFiles() {
  return testFilesUnder(PEER_FOLDER);
}

/** Paths from the root, sorted: all that are neither. */
export function unitTestFiles() {
  const others = [...SOCKET_FOLDERS, PEER_FOLDER].map((folder) => `${folder}/`);
  return [...testFilesUnder("src"), ...testFilesUnder("test")].filter(
    (file) => !others.some((folder) => file.startsWith(folder)),
  );
}

function testFilesUnder(folder) {
  if (!existsSync(`${ROOT}${folder}`)) return [];
  return readdirSync(`${ROOT}${folder}`, { recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`)
    .sort();
}
