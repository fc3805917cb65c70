import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from "@grpc/grpc-js";
import { loadItemSchema } from "./item-schema.ts";
import { itemServiceHandlers } from "./item-service.ts";
import { itemStreamsHandlers } from "./item-streams.ts";
import type { RunningServer, ServerAddress } from "./running-server.ts";
import { CLOSE_GRACE_MS } from "./running-server.ts";
import { serviceDefinition } from "./service-definition.ts";

/** `item.v1.ItemService` and `item.v1.ItemStreams` over gRPC without TLS. Rejects with grpc-js' error when it cannot listen. */
export async function startGrpcServer({ host, port }: ServerAddress): Promise<RunningServer> {
  // What fails is in the rejection; grpc-js would print it as well.
  setLogVerbosity(logVerbosity.NONE);
  const { itemService, itemStreams } = loadItemSchema();
  const server = new Server();
  server.addService(serviceDefinition(itemService), itemServiceHandlers);
  server.addService(serviceDefinition(itemStreams), itemStreamsHandlers);
  const authority = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const boundPort = await new Promise<number>((resolve, reject) => {
    server.bindAsync(authority, ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return { port: boundPort, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.forceShutdown(), CLOSE_GRACE_MS);
    server.tryShutdown(() => {
      clearTimeout(cutOff);
      resolve();
    });
  });
}
