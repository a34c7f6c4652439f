"""The Python program of the comparison: reads alerts from fetchmail, finds the amount, date and reference and keeps them in SQLite.

  importer.py DATABASE            reads mails in BSMTP (RFC 2442) from standard input
  importer.py DATABASE --one      reads one mail, as fetchmail's mda; prints "mail"
"""
import email
import email.policy
import html
import re
import sqlite3
import sys

AMOUNT = re.compile(r"(?:Rs\.?|INR|debited by)\s*([0-9,]+(?:\.[0-9]{1,2})?)")
DATE = re.compile(r"\bon (?:date )?(\d{1,2}-\d{1,2}-\d{2}|[A-Z][a-z]{2} \d{1,2}, \d{4}|\d{1,2}[A-Z][a-z]{2}\d{2})")
REFERENCE = re.compile(r"(?:reference no\.: |Refno )(\d{12})")
BANKS = ("@hdfcbank.bank.in", "@icici.bank.in", "@alerts.sbi.bank.in")


def text_of(message):
    part = message.get_body(("plain", "html"))
    text = part.get_content() if part else ""
    if part and part.get_content_type() == "text/html":
        text = re.sub(r"(?s)<(style|script).*?</\1>", " ", text)
        text = html.unescape(re.sub(r"<[^>]*>", " ", text))
    return re.sub(r"\s+", " ", text)


def keep(database, raw):
    message = email.message_from_bytes(raw, policy=email.policy.default)
    if not any(bank in str(message["From"]) for bank in BANKS):
        return
    text = text_of(message)
    amount = AMOUNT.search(text)
    if not amount:
        return
    date, reference = DATE.search(text), REFERENCE.search(text)
    database.execute(
        "INSERT OR IGNORE INTO transactions VALUES (?, ?, ?, ?)",
        (message["Message-ID"], round(float(amount[1].replace(",", "")) * 100), date and date[1], reference and reference[1]))


def bsmtp(stream):
    """The mails of a BSMTP stream: the lines between DATA and a single dot, whose leading dots are doubled."""
    lines = None
    for line in stream:
        if lines is None:
            if line.rstrip() == b"DATA":
                lines = []
        elif line.rstrip(b"\r\n") == b".":
            yield b"".join(lines)
            lines = None
        else:
            lines.append(line[1:] if line.startswith(b".") else line)


def main():
    with sqlite3.connect(sys.argv[1]) as database:
        database.execute("CREATE TABLE IF NOT EXISTS transactions (message_id TEXT PRIMARY KEY, amount INTEGER, date TEXT, reference TEXT)")
        for raw in [sys.stdin.buffer.read()] if "--one" in sys.argv else bsmtp(sys.stdin.buffer):
            keep(database, raw)


if __name__ == "__main__":
    main()
