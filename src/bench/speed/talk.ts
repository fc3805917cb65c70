import { connect } from "node:net";
import { answerOctets, type Conversation } from "./conversation.ts";

const READ_OCTETS = 512 * 1024;

/**
 * Hold a conversation over a connection of its own to a port of loopback.
 * @returns octets sent and received, when the server has closed it. Rejects when the connection breaks.
 */
export function talk(port: number, turns: Conversation): Promise<number> {
  return new Promise((resolve, reject) => {
    let turn = -1;
    let received = 0;
    let due = 0;
    let sent = 0;
    const proceed = (): void => {
      while (received >= due) {
        turn++;
        const next = turns[turn];
        if (next === undefined) return;
        due += answerOctets(next.answer);
        sent += next.ask.length;
        socket.write(next.ask);
      }
    };
    // One buffer for all reads: what is measured is the way to it.
    const onread = {
      buffer: Buffer.alloc(READ_OCTETS),
      callback: (octets: number): boolean => {
        received += octets;
        proceed();
        return true;
      },
    };
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread }, proceed);
    socket.on("error", reject);
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(sent + received));
  });
}
