// Node's own WebSocket: sends text and octets, reads them back, closes. Usage: node --experimental-websocket websocket-client.mjs PORT
import assert from "node:assert/strict";

const socket = new WebSocket(`ws://127.0.0.1:${process.argv[2]}/chat`);
socket.binaryType = "arraybuffer";
const answers = [];
socket.onopen = () => {
  socket.send("hello");
  socket.send(Uint8Array.of(0, 1, 254, 255));
  socket.send(JSON.stringify({ id: 1, name: "widget-01" }));
};
socket.onmessage = ({ data }) => {
  answers.push(data);
  if (answers.length === 3) socket.close(1000, "done");
};
socket.onerror = () => {
  process.exitCode = 1;
};
socket.onclose = ({ code }) => {
  assert.deepEqual([code, answers[0], answers[1].byteLength], [1000, "hello", 4]);
};
