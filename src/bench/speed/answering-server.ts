// A process: answers on every connection as a conversation says. Arguments: its name, octets. Tells the parent its port.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type Conversation, type ConversationName, conversation } from "./conversation.ts";

const [, , name = "", octets = ""] = process.argv;
const turns = conversation(name as ConversationName, Number(octets));
const server = createServer({ noDelay: true }, (socket) => void answer(socket, turns));
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.on("disconnect", () => process.exit());
process.send?.({ port: (server.address() as AddressInfo).port });

/** Each answer when its question is whole. Ends early when the client has gone. */
async function answer(socket: Socket, conversation: Conversation): Promise<void> {
  let received = 0;
  let wake = (): void => {};
  socket.on("data", (chunk) => {
    received += chunk.length;
    wake();
  });
  // A client that is gone is told by its close alone.
  socket.on("error", () => {});
  socket.on("close", () => wake());
  socket.on("drain", () => wake());
  const woken = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  let due = 0;
  for (const turn of conversation) {
    due += turn.ask.length;
    while (received < due && !socket.destroyed) await woken();
    for (const piece of turn.answer) {
      if (socket.destroyed) return;
      if (!socket.write(piece)) await woken();
    }
  }
  socket.end();
}
