"""Sends damaged HTTP to a web role: no answer may be a server error, no connection may hang, and the server must go on.

    raw_requests.py PORT SECONDS [SEED]

Each connection carries one to three requests, altered at random: bytes, lines, lengths, chunks, names, two lengths that
contradict each other. It is sent in pieces and then half closed, so the server has to end it. Needs Python only.
"""
import json
import random
import re
import socket
import sys
import threading
import time
import urllib.request

CONNECTIONS = 8
# The server ends an idle connection far earlier than this after its client has closed its side.
PATIENCE = 30
STATUS = re.compile(rb"(?:^|\r\n|\n)HTTP/1\.[01] (\d{3}) ")

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PRI", "get", "G\x00T", "X" * 300]
FIELDS = [
    "Host: {host}", "Host: a.example", "Host:", "Content-Length: 5", "Content-Length: 0", "Content-Length: -1",
    "Content-Length: 99999999999999999999", "Content-Length: 5, 5", "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked", "Transfer-Encoding : chunked", "Transfer-Encoding:\tchunked",
    "Content-Type: application/json", "Content-Type: application/x-www-form-urlencoded",
    "Content-Type: multipart/form-data; boundary=b", "Accept: */*", "Accept: text/html;q=0.1, nonsense", "Accept-Encoding: gzip",
    "Accept-Encoding: br;q=x", "Range: bytes=0-", "If-Match: *", "If-Match: \"x", "If-None-Match: W/\"1\"", "Expect: 100-continue",
    "Connection: keep-alive, Upgrade", "Connection: close", "Upgrade: h2c", "Upgrade: websocket", "HTTP2-Settings: AAMAAABk",
    "Authorization: Bearer x", "Authorization: Basic Og==", "Cookie: session=x; session=y", "Origin: null", "Origin: http://{host}",
    "Sec-Fetch-Site: same-origin", "Idempotency-Key: 1", "X-Request-ID: a", "Trailer: X", "TE: trailers", " folded",
    "No-Colon", ": empty", "X: \x00", "X: \xff\xfe", "X-Long: " + "a" * 9000,
]
BODIES = [
    b"", b"{}", b'{"a":1', b"[" * 200, b"csrf=x&merchant=%zz", b"5\r\nhello\r\n0\r\n\r\n", b"FFFFFFFFFFFFFFFF\r\n", b"-1\r\nx\r\n",
    b"5;x=y\r\nhello\r\n0\r\nX: y\r\n\r\n", b"hello", b"--b\r\nContent-Disposition: form-data; name=file; filename=x\r\n\r\nx\r\n--b--\r\n",
    b"\x00" * 100, b"a" * 70000,
]
LITERALS = [
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00" * 9, b"\x16\x03\x01\x02\x00\x01\x00", b"\r\n\r\n\r\n", b"GET", b"GET / HTTP/9.9\r\n\r\n",
    b"GET /\r\n\r\n", b"GET  /  HTTP/1.1\r\nHost: x\r\n\r\n", b"\xff" * 50,
]


def paths(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/openapi.json") as answer:
        known = [re.sub(r"\{[^}]*\}", "1", path) for path in json.load(answer)["paths"]]
    return known + [
        "/", "/login", "/transactions", "/statements", "/review", "/nowhere", "//", "/..%2f..%2fetc/passwd", "/%00", "*",
        "http://a.example/", "/a?b=%zz&c=" + "d" * 3000, "/" + "a/" * 500, "/transactions/9223372036854775808", "/\xff",
    ]


def request(chance, known, host):
    if chance.random() < 0.05:
        return chance.choice(LITERALS)
    body = chance.choice(BODIES)
    end = chance.choice(["\r\n"] * 9 + ["\n"])
    fields = [f"Host: {host}"] if chance.random() < 0.8 else []
    fields += [field.replace("{host}", host) for field in chance.sample(FIELDS, chance.randint(0, 6))]
    if body and chance.random() < 0.5:
        fields.append(f"Content-Length: {len(body)}")
    line = f"{chance.choice(METHODS[:7] * 4 + METHODS)} {chance.choice(known)} HTTP/{chance.choice(['1.1'] * 9 + ['1.0', '2.0'])}"
    head = end.join([line] + fields + ["", ""]).encode("latin-1", "replace")
    whole = bytearray(head + body)
    for _ in range(chance.choice([0, 0, 0, 1, 2, 5])):
        at = chance.randrange(len(whole))
        action = chance.randrange(3)
        if action == 0:
            whole[at] = chance.randrange(256)
        elif action == 1:
            del whole[at:at + chance.randint(1, 8)]
        else:
            whole[at:at] = bytes([chance.choice(b"\r\n\x00 :;,\t%\xff")]) * chance.randint(1, 4)
        if not whole:
            return b"\n"
    return bytes(whole)


def exchange(port, data, chance):
    """The answers' bytes; raises TimeoutError if the server does not end the connection."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        received = b""
        try:
            at = 0
            while at < len(data):
                count = chance.choice([1, 7, 100, len(data)])
                connection.sendall(data[at:at + count] if count > 1 or len(data) < 500 else data[at:at + 500])
                at += count if count > 1 or len(data) < 500 else 500
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65536):
                received += piece
        except (ConnectionError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
        return received


def work(port, deadline, seed, known, counts, findings, lock):
    chance = random.Random(seed)
    while time.monotonic() < deadline and len(findings) < 20:
        data = b"".join(request(chance, known, f"127.0.0.1:{port}") for _ in range(chance.choice([1, 1, 1, 2, 3])))
        try:
            statuses = [int(code) for code in STATUS.findall(exchange(port, data, chance))]
            finding = next((f"status {code}" for code in statuses if code >= 500), None)
        except TimeoutError:
            statuses, finding = [], f"the connection was open {PATIENCE} s later"
        except ConnectionRefusedError:
            statuses, finding = [], "the server no longer listens"
        with lock:
            counts["connections"] = counts.get("connections", 0) + 1
            for code in statuses or ["closed without an answer"]:
                counts[code] = counts.get(code, 0) + 1
            if finding:
                findings.append((finding, data))


def main():
    port, seconds = int(sys.argv[1]), int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
    known, counts, findings, lock = paths(port), {}, [], threading.Lock()
    deadline = time.monotonic() + seconds
    threads = [
        threading.Thread(target=work, args=(port, deadline, seed * CONNECTIONS + index, known, counts, findings, lock))
        for index in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/openapi.json", timeout=PATIENCE) as answer:
        assert answer.status == 200
    print(f"seed {seed}:", ", ".join(f"{name}: {count}" for name, count in sorted(counts.items(), key=str)))
    for finding, data in findings:
        print(f"{finding}: {data!r:.600}")
    sys.exit(1 if findings else 0)


main()
