#!/usr/bin/python3
"""A mail server whose mailboxes are all empty, for tens of thousands of clients that wait for mail.

  emptyserver.py ADDRESS PORT CERTIFICATE KEY
"""
import asyncio
import resource
import ssl
import sys

CAPABILITIES = "IMAP4rev1 IDLE LITERAL+ SASL-IR AUTH=PLAIN"
ANSWERS = {
    "CAPABILITY": f"* CAPABILITY {CAPABILITIES}\r\n",
    "LIST": '* LIST (\\HasNoChildren) "/" INBOX\r\n',
    "NAMESPACE": '* NAMESPACE (("" "/")) NIL NIL\r\n',
    "STATUS": "* STATUS INBOX (MESSAGES 0 UIDNEXT 1 UIDVALIDITY 1)\r\n",
    "SEARCH": "* SEARCH\r\n",
    "LOGOUT": "* BYE\r\n",
}
SELECTED = ("* FLAGS (\\Seen)\r\n* OK [PERMANENTFLAGS ()] none\r\n* 0 EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY 1] valid\r\n"
            "* OK [UIDNEXT 1] next\r\n")


async def serve(reader, writer):
    writer.write(f"* OK [CAPABILITY {CAPABILITIES}] ready\r\n".encode())
    try:
        while line := (await reader.readline()).decode("latin-1").split():
            tag, command = line[0], line[1].upper() if len(line) > 1 else ""
            if command == "UID" and len(line) > 2:
                command = line[2].upper()
            if command == "IDLE":
                writer.write(b"+ idling\r\n")
                if not await reader.readline():
                    break
            answer = SELECTED if command in ("SELECT", "EXAMINE") else ANSWERS.get(command, "")
            code = "[READ-ONLY] " if command == "EXAMINE" else ""
            writer.write(f"{answer}{tag} OK {code}done\r\n".encode())
            if command == "LOGOUT":
                break
        await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def main(address, port, certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = await asyncio.start_server(serve, address, int(port), ssl=context, backlog=4096, ssl_handshake_timeout=300)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(main(*sys.argv[1:]))
