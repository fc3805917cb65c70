import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import protobuf from "protobufjs";

/** The demo's services as protobufjs types. */
export interface ItemSchema {
  /** `item.v1.Item`. */
  readonly item: protobuf.Type;
  /** `item.v1.ItemService`. */
  readonly itemService: protobuf.Service;
  /** `item.v1.ItemStreams`. */
  readonly itemStreams: protobuf.Service;
}

/** Read the demo's services from the package's proto folder: the same files that a user hands to other tools. */
export function loadItemSchema(): ItemSchema {
  // The package names itself: this file's depth below the package differs between source and build.
  const manifest = createRequire(import.meta.url).resolve("wiretally/package.json");
  const importRoot = join(dirname(manifest), "proto");
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => join(importRoot, target);
  root.loadSync("item/v1/item_streams.proto", { keepCase: true }).resolveAll();
  return {
    item: root.lookupType("item.v1.Item"),
    itemService: root.lookupService("item.v1.ItemService"),
    itemStreams: root.lookupService("item.v1.ItemStreams"),
  };
}
