#!/usr/bin/python3
"""Writes mails that are signed, altered or wrongly signed, with dkimpy's verdict on each signature.

    oracle.py COUNT SEED

One JSON object a line: kind, mail (Base64), keys (name to record), arrival (seconds since 1970), and verdicts, one for
each DKIM-Signature field from the top. Keys are new in each run; everything else follows from the seed.
"""
import base64
import json
import logging
import random
import sys
import time

import dkim
import nacl.signing
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bodies import body

COUNT, SEED = int(sys.argv[1]), int(sys.argv[2])
chance = random.Random(SEED)
silent = logging.getLogger("silent")
silent.addHandler(logging.NullHandler())
silent.propagate = False


class Key:
    def __init__(self, selector, private, record, algorithm):
        self.selector, self.private, self.record, self.algorithm = selector, private, record, algorithm


def rsa_key(selector, bits):
    key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return Key(selector, private, "v=DKIM1; k=rsa; p=" + base64.b64encode(public).decode(), b"rsa-sha256")


def ed25519_key(selector):
    key = nacl.signing.SigningKey.generate()
    public = base64.b64encode(bytes(key.verify_key)).decode()
    return Key(selector, base64.b64encode(bytes(key)), "v=DKIM1; k=ed25519; p=" + public, b"ed25519-sha256")


GOOD = [rsa_key("big", 2048), rsa_key("least", 1024), ed25519_key("ed")]
OTHER = {b"rsa-sha256": rsa_key("other", 2048), b"ed25519-sha256": ed25519_key("other")}
SHORT = rsa_key("short", 768)


class Signer(dkim.DKIM):
    """Adds tags that dkimpy does not write."""
    extra = []

    def gen_header(self, fields, *rest, **named):
        at = [name for name, _ in fields].index(b"h")
        fields = [field for field in fields if field[0] not in dict(self.extra)]
        return super().gen_header(fields[:at] + self.extra + fields[at:], *rest, **named)


def sign(mail, key, canonical=None, headers=None, domain=b"bank.example", extra=(), algorithm=None, **named):
    canonical = canonical or chance.choice(
        [(b"relaxed", b"relaxed"), (b"relaxed", b"simple"), (b"simple", b"relaxed"), (b"simple", b"simple")])
    signer = Signer(mail, logger=silent, signature_algorithm=algorithm or key.algorithm)
    signer.extra = list(extra)
    headers = headers or [b"from", b"to", b"subject", b"date", b"content-type"]
    return signer.sign(
        key.selector.encode(), domain, key.private, canonicalize=canonical, include_headers=headers, **named) + mail


def message():
    subject = chance.choice(
        [b"Alert", b"  Debit   alert ", b"Alert\r\n for your\r\n\taccount", b"=?utf-8?q?=E2=82=B9?= spent", b"", b"Re: \xe2\x82\xb9"])
    name = chance.choice([b"From", b"from", b"FROM"])
    fields = [
        b"Received: from a by b;\r\n Mon, 23 Nov 2026 10:00:00 +0000",
        name + b": Bank <alerts@" + chance.choice([b"", b"mail."]) + b"bank.example>",
        b"To: someone@mailbox.example", b"Subject: " + subject, b"Date: Mon, 23 Nov 2026 10:00:00 +0000",
        b"Message-ID: <%d@bank.example>" % chance.randrange(1 << 30), b"MIME-Version: 1.0",
        b"Content-Type: text/plain;\r\n\tcharset=utf-8"]
    return b"\r\n".join(fields) + b"\r\n\r\n" + body(chance)


def split(mail):
    head, _, rest = mail.partition(b"\r\n\r\n")
    return head, rest


def within_signature(mail, change):
    """Applies a change to the topmost field, which is the signature."""
    fields = mail.split(b"\r\n")
    end = 1
    while fields[end][:1] in (b" ", b"\t"):
        end += 1
    return change(b"\r\n".join(fields[:end])) + b"\r\n" + b"\r\n".join(fields[end:])


def make(kind):
    """Returns the mail, the key records and the time of arrival."""
    key = chance.choice(GOOD)
    keys = {k.selector: k.record for k in GOOD}
    # Of each mail, because thousands of them take longer than the clocks of signer and receiver may differ.
    now = int(time.time())
    mail, arrival = message(), now
    if kind == "signed":
        mail = sign(mail, key)
    elif kind == "body altered":
        mail = sign(mail, key)
        head, rest = split(mail)
        at = chance.randrange(len(rest) + 1)
        mail = head + b"\r\n\r\n" + rest[:at] + chance.choice([b"x", b" ", b"\t", b"\r\n", b"9", b"\0", b"\r"]) + rest[at:]
    elif kind == "body cut":
        mail = sign(mail, key)
        mail = mail[:len(mail) - chance.randrange(1, 30)] if len(split(mail)[1]) > 30 else mail + b"more"
    elif kind == "header altered":
        mail = sign(mail, key).replace(
            *chance.choice([
                (b"Bank <", b"Bonk <"), (b"Bank <", b"Bank  <"), (b"To: ", b"To:  "), (b"To: ", b"to:"),
                (b"Date: Mon", b"Date: Tue"), (b"someone@", b"other@"), (b"charset=utf-8", b"charset=utf-7")]))
    elif kind == "unsigned field altered":
        mail = sign(mail, key).replace(b"Received: from a", b"Received: from evil").replace(b"MIME-Version: 1.0", b"MIME-Version: 1.1")
    elif kind == "field added":
        added = chance.choice([b"Subject: Other", b"From: x@evil.example", b"X-Spam: no", b"To: more@mailbox.example", b"Date: Tue, 24 Nov 2026 10:00:00 +0000", b"Content-Type: text/html"])
        mail = sign(mail, key)
        mail = added + b"\r\n" + mail if chance.random() < 0.5 else mail.replace(b"\r\n\r\n", b"\r\n" + added + b"\r\n\r\n", 1)
    elif kind == "other key":
        mail = sign(mail, key)
        keys[key.selector] = OTHER[key.algorithm].record
    elif kind == "other kind of key":
        mail = sign(mail, GOOD[0])
        keys["big"] = GOOD[2].record
    elif kind == "no key":
        mail = sign(mail, key)
        del keys[key.selector]
    elif kind == "damaged key":
        mail = sign(mail, key)
        record = keys[key.selector]
        at = chance.randrange(len(record))
        keys[key.selector] = chance.choice([
            "v=DKIM1; p=", "v=DKIM2; " + record[9:], "", "p", ";;;", "v=DKIM1; k=dsa; " + record[record.index("p="):],
            record[:at], "v=DKIM1; s=other; " + record[9:], "v=DKIM1; h=sha1; " + record[9:],
            record.replace("p=", "p=!!")])
    elif kind == "test key":
        mail = sign(mail, key)
        keys[key.selector] = keys[key.selector].replace("; k=", "; t=y; k=")
    elif kind == "key without version":
        mail = sign(mail, key)
        keys[key.selector] = keys[key.selector].replace("v=DKIM1; ", "")
    elif kind == "short key":
        mail = sign(mail, SHORT)
        keys["short"] = SHORT.record
    elif kind == "sha1":
        mail = sign(mail, GOOD[0], algorithm=b"rsa-sha1")
    elif kind == "length":
        mail = sign(mail, key, length=True)
    elif kind == "length, text added":
        mail = sign(mail, key, length=True) + b"\r\nRs. 9,999 debited\r\n"
    elif kind == "expired":
        mail = sign(mail, key, extra=[(b"t", b"%d" % (now - 900000)), (b"x", b"%d" % (now - 400000))])
    elif kind == "expired after arrival":
        mail = sign(mail, key, extra=[(b"t", b"%d" % (now - 900000)), (b"x", b"%d" % (now - 400000))])
        arrival = now - 899990
    elif kind == "from the future":
        mail = sign(mail, key, extra=[(b"t", b"%d" % (now + 400000))])
    elif kind == "expires later":
        mail = sign(mail, key, extra=[(b"x", b"%d" % (now + 400000))])
    elif kind == "two signatures":
        mail = sign(sign(mail, chance.choice(GOOD)), chance.choice(GOOD))
        if chance.random() < 0.5:
            mail = within_signature(mail, lambda field: field.replace(b"b=", b"b=QUJD", 1))
    elif kind == "other signer":
        mail = sign(mail, key, domain=b"sender.example")
    elif kind == "identity":
        identity = chance.choice([b"@bank.example", b"alerts@mail.bank.example", b"x@evil.example", b"@notbank.example"])
        mail = sign(mail, key, extra=[(b"i", identity)])
    elif kind == "tag lost":
        tag = chance.choice([b"v=1; ", b"d=bank.example; ", b"s=" + key.selector.encode() + b"; "])
        mail = within_signature(sign(mail, key), lambda field: field.replace(tag, b""))
    elif kind == "signature damaged":
        def damage(field):
            at = chance.randrange(len(b"DKIM-Signature: "), len(field))
            put = bytes([chance.choice(b"abcdefgh0123456789=;: ABCXYZ+/")])
            return field[:at] + put + field[at + 1:]
        mail = within_signature(sign(mail, key), damage)
    elif kind == "LF":
        mail = sign(mail, key).replace(b"\r\n", b"\n")
    return mail, keys, arrival


KINDS = [
    "signed", "signed", "signed", "body altered", "body altered", "body cut", "header altered", "unsigned field altered",
    "field added", "other key", "other kind of key", "no key", "damaged key", "damaged key", "test key",
    "key without version", "short key", "sha1", "length", "length, text added", "expired", "expired after arrival",
    "from the future", "expires later", "two signatures", "other signer", "identity", "tag lost", "signature damaged",
    "signature damaged", "LF"]


def verdicts(mail, keys):
    def record(name, timeout=5):
        selector = name.decode("latin-1").split("._domainkey.")[0].lower()
        return keys.get(selector, "").encode()
    found = []
    for index in range(sum(1 for line in mail.split(b"\n") if line.lower().startswith(b"dkim-signature"))):
        try:
            found.append(bool(dkim.DKIM(mail, logger=silent).verify(index, dnsfunc=record)))
        except Exception as error:  # dkimpy raises errors of many types for damage
            found.append(False)
    return found


for number in range(COUNT):
    kind = KINDS[number % len(KINDS)]
    mail, keys, arrival = make(kind)
    print(json.dumps({
        "kind": kind, "mail": base64.b64encode(mail).decode(), "keys": keys, "arrival": arrival,
        "verdicts": verdicts(mail, keys)}))
