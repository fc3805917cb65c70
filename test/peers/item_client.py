"""Calls the demo's gRPC server with python grpcio (C-core). Messages are written as octets: no generated code is needed.

Usage: item_client.py PORT; prints one line a call: its name, status, and the messages in hexadecimal.
"""

import sys

import grpc

# Item { id: 1234567890, name: "widget-01", count: 12345 }
ITEM = bytes.fromhex("08d285d8cc04") + b"\x12\x09widget-01" + bytes.fromhex("18b960")
TIMES = 3
# RepeatRequest { item: ITEM, times: 3 }
REPEAT = b"\x0a" + bytes([len(ITEM)]) + ITEM + b"\x10" + bytes([TIMES])
# FailRequest { code: 5, message: "gone" }
FAIL = b"\x08\x05\x12\x04gone"
STREAMS = "/item.v1.ItemStreams/"


def show(name, answers):
    try:
        print(name, "OK", *[answer.hex() for answer in answers()])
    except grpc.RpcError as error:
        details = "" if error.code() == grpc.StatusCode.DEADLINE_EXCEEDED else error.details()
        print(name, error.code().name, details)


def main(port):
    # A channel of its own: C-core otherwise shares connections by target.
    with grpc.insecure_channel(f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)]) as channel:
        echo = channel.unary_unary("/item.v1.ItemService/Echo")
        for _ in range(3):
            show("Echo", lambda: [echo(ITEM, timeout=10)])
        show("Repeat", lambda: channel.unary_stream(STREAMS + "Repeat")(REPEAT, timeout=10))
        show("Collect", lambda: [channel.stream_unary(STREAMS + "Collect")(iter([ITEM] * TIMES), timeout=10)])
        show("Chat", lambda: channel.stream_stream(STREAMS + "Chat")(iter([ITEM] * TIMES), timeout=10))
        show("Hang", lambda: [channel.unary_unary(STREAMS + "Hang")(b"", timeout=0.3)])
        show("Fail", lambda: [channel.unary_unary(STREAMS + "Fail")(FAIL, timeout=10)])


main(int(sys.argv[1]))
