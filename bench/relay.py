"""A line with a delay: relay.py LISTEN-PORT SERVER-PORT MILLISECONDS.

Forwards connections on the loopback interface. Every byte leaves half the round trip after it came; the bandwidth is not limited.
"""
import asyncio
import sys


async def forward(reader, writer, delay):
    """Keeps the order and adds the same delay to every piece, however many are on the way."""
    loop, pieces = asyncio.get_running_loop(), asyncio.Queue()

    async def deliver():
        while True:
            due, piece = await pieces.get()
            await asyncio.sleep(max(0, due - loop.time()))
            if not piece:
                break
            writer.write(piece)
            await writer.drain()
        writer.close()

    delivery = asyncio.create_task(deliver())
    try:
        while piece := await reader.read(65536):
            pieces.put_nowait((loop.time() + delay, piece))
    except ConnectionError:
        pass
    pieces.put_nowait((loop.time() + delay, b""))
    try:
        await delivery
    except ConnectionError:
        writer.close()


async def main():
    port, server, delay = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 2000

    async def serve(reader, writer):
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", server)
        await asyncio.gather(forward(reader, other_writer, delay), forward(other_reader, writer, delay))

    async with await asyncio.start_server(serve, "127.0.0.1", port) as listener:
        print("ready", flush=True)
        await listener.serve_forever()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
