import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";
import type protobuf from "protobufjs";

/** A message by the schema's field names. A decoded one has every field; one to encode may leave out fields that are zero. */
export type Fields = { readonly [field: string]: unknown };

/** What grpc-js needs to know of a service: each method's path, which sides stream, how messages become octets. */
export function serviceDefinition(service: protobuf.Service): ServiceDefinition {
  return Object.fromEntries(service.methodsArray.map((method) => [method.name, methodDefinition(service, method)]));
}

/** One method of a service, as a client needs it to call. */
export function methodDefinition(service: protobuf.Service, method: protobuf.Method): MethodDefinition<Fields, Fields> {
  method.resolve();
  const { resolvedRequestType: request, resolvedResponseType: response } = method;
  if (request === null || response === null) throw new TypeError(`${method.fullName} has unresolved types`);
  return {
    path: `/${service.fullName.replace(/^\./, "")}/${method.name}`,
    requestStream: method.requestStream === true,
    responseStream: method.responseStream === true,
    requestSerialize: (fields) => encode(request, fields),
    requestDeserialize: (octets) => decode(request, octets),
    responseSerialize: (fields) => encode(response, fields),
    responseDeserialize: (octets) => decode(response, octets),
  };
}

function encode(type: protobuf.Type, fields: Fields): Buffer {
  const octets = type.encode(fields).finish();
  return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
}

/** The decoded message itself, not a copy: int64 values stay Long objects and go out again with all their bits. */
function decode(type: protobuf.Type, octets: Uint8Array): Fields {
  return type.decode(octets) as unknown as Fields;
}
