import {
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { Fields } from "./service-definition.ts";

const repeat: handleServerStreamingCall<{ readonly item: Fields | null; readonly times: number }, Fields> = (call) => {
  const { item, times } = call.request;
  let sent = 0;
  const sendMore = () => {
    while (sent < times) {
      sent++;
      if (call.write(item ?? {})) continue;
      // The client takes nothing for now: hold one item, not all that are left. Of a cancelled call no "drain" comes.
      call.once("drain", sendMore);
      return;
    }
    call.end();
  };
  sendMore();
};

const collect: handleClientStreamingCall<{ readonly payload: Uint8Array }, Fields> = (call, callback) => {
  let items = 0;
  let payloadOctets = 0;
  call.on("data", ({ payload }: { readonly payload: Uint8Array }) => {
    items++;
    payloadOctets += payload.length;
  });
  call.once("end", () => callback(null, { items, payload_octets: payloadOctets }));
};

const chat: handleBidiStreamingCall<Fields, Fields> = (call) => {
  call.on("data", (item: Fields) => {
    if (call.write(item)) return;
    call.pause();
    call.once("drain", () => call.resume());
  });
  call.once("end", () => call.end());
};

const hang: handleUnaryCall<Fields, Fields> = () => {
  // No answer is the answer: the client's deadline or its cancel ends the call.
};

const fail: handleUnaryCall<{ readonly code: number; readonly message: string }, Fields> = (call, callback) => {
  const { code, message } = call.request;
  callback({ code: code === status.OK ? status.UNKNOWN : code, details: message });
};

/** `item.v1.ItemStreams`: the three kinds of streaming, a call without an answer, a call that fails. */
export const itemStreamsHandlers: UntypedServiceImplementation = {
  Repeat: repeat,
  Collect: collect,
  Chat: chat,
  Hang: hang,
  Fail: fail,
};
