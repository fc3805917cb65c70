import { assertTsharkAgrees } from "/work/main/test/captures/tshark-agreement.ts";
const go = async (n: string, port: number, s: "http"|"http2") => console.log(n, s, await assertTsharkAgrees(`/work/main/captures/${n}.pcapng`, port, s).catch((e: Error) => e.message.slice(0, 60)));
await go("grpc-js-streaming", 8089, "http2");
await go("grpc-js-streaming", 8090, "http2");
await go("late-join", 8089, "http2");
