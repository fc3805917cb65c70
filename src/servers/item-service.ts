import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { Fields } from "./service-definition.ts";

const echo: handleUnaryCall<Fields, Fields> = (call, callback) => callback(null, call.request);

/** `item.v1.ItemService`: answers with the item it was sent. */
export const itemServiceHandlers: UntypedServiceImplementation = { Echo: echo };
