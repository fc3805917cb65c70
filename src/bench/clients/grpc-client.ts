import { Client, credentials } from "@grpc/grpc-js";
import type { Item } from "../../servers/item.ts";
import { loadItemSchema } from "../../servers/item-schema.ts";
import { methodDefinition } from "../../servers/service-definition.ts";
import { AUTHORITY, type ClientTarget, type EchoClient, unexpectedAnswer } from "./echo-client.ts";

/** Calls `item.v1.ItemService/Echo` over gRPC without TLS on one connection, opened by the first call. */
export function openGrpcClient({ host, port }: ClientTarget, item: Item): EchoClient {
  const { itemService } = loadItemSchema();
  const echo = methodDefinition(itemService, itemService.methods["Echo"]!);
  const client = new Client(host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`, credentials.createInsecure(), {
    "grpc.default_authority": AUTHORITY,
    // grpc-js shares connections between clients of one target: this one has to be this client's alone.
    "grpc.use_local_subchannel_pool": 1,
  });
  const sent = echo.requestSerialize({ ...item });

  const call = () =>
    new Promise<void>((resolve, reject) => {
      client.makeUnaryRequest(echo.path, echo.requestSerialize, echo.responseDeserialize, { ...item }, (error, response) => {
        if (error !== null) reject(error);
        else {
          const answer = echo.responseSerialize(response ?? {});
          if (answer.equals(sent)) resolve();
          else reject(unexpectedAnswer("gRPC", "OK", answer.length));
        }
      });
    });

  const close = () => {
    client.close();
    return Promise.resolve();
  };

  return { call, close };
}
