#!/usr/bin/python3
"""Writes mails with ARC chains (RFC 8617) that are valid, altered or wrongly sealed, with dkimpy's verdict on each chain.

    seals.py COUNT SEED

One JSON object a line: kind, sets (number of ARC sets), mail (Base64), keys (selector to record), arrival (seconds since
1970), and verdict: true for cv=pass. The first forwarder found the bank confirmed and the others did not, so that every
seal is needed. Keys are new in each run; everything else follows from the seed.
"""
import base64
import json
import logging
import random
import re
import sys
import time

import dkim
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from dkim.canonicalization import CanonicalizationPolicy
from dkim.crypto import HASH_ALGORITHMS, parse_pem_private_key

from bodies import body

COUNT, SEED = int(sys.argv[1]), int(sys.argv[2])
NOW = int(time.time())
chance = random.Random(SEED)
silent = logging.getLogger("silent")
silent.addHandler(logging.NullHandler())
silent.propagate = False

FORMS = [b"relaxed/relaxed", b"relaxed/simple", b"simple/relaxed", b"simple/simple", b"relaxed"]
NAMES = [b"from", b"to", b"subject", b"date", b"message-id", b"content-type"]


class Key:
    def __init__(self, selector, domain, bits):
        key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
        self.selector, self.domain = selector, domain
        self.private = parse_pem_private_key(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()))
        self.record = "v=DKIM1; k=rsa; p=" + base64.b64encode(key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)).decode()


KEYS = [Key("one", "lists.example", 2048), Key("two", "school.example", 1024), Key("three", "home.example", 2048)]
OTHER = Key("other", "lists.example", 2048)
SHORT = Key("short", "lists.example", 768)
ED25519 = "v=DKIM1; k=ed25519; p=" + base64.b64encode(bytes(32)).decode()


class Sealer(dkim.ARC):
    """Adds one ARC set with dkimpy's own canonicalization; its sign() has no options."""

    def field(self, tags, names, form, name, key):
        self.hasher = HASH_ALGORITHMS[b"rsa-sha256"]
        value = self.gen_header(
            tags + [(b"b", b"0" * 60)], names, CanonicalizationPolicy.from_c_value(form), name, key.private)
        self.headers.insert(0, [name, b" " + value])
        return name + b": " + value

    def add(self, number, key, results, status, form, names=NAMES, more=(), seal_more=()):
        value = b" i=%d; %s; %s\r\n" % (number, key.domain.encode(), results)
        self.headers.insert(0, [b"ARC-Authentication-Results", value])
        body = CanonicalizationPolicy.from_c_value(form).canonicalize_body(self.body)
        common = [(b"i", b"%d" % number), (b"a", b"rsa-sha256"), (b"d", key.domain.encode()),
                  (b"s", key.selector.encode()), (b"t", b"%d" % NOW)]
        digest = base64.b64encode(HASH_ALGORITHMS[b"rsa-sha256"](body).digest())
        tags = common + [(b"c", form), (b"h", b" : ".join(names)), (b"bh", digest)]
        tags = [tag for tag in tags if tag[0] not in dict(more)] + list(more)
        signature = self.field(tags, list(names), form, b"ARC-Message-Signature", key)
        tags = common + [(b"cv", status)]
        tags = [tag for tag in tags if tag[0] not in dict(seal_more)] + list(seal_more)
        order = [b"arc-authentication-results", b"arc-message-signature", b"arc-seal"] * number
        seal = self.field(tags, order[:-1], b"relaxed/relaxed", b"ARC-Seal", key)
        return seal + signature + b"ARC-Authentication-Results:" + value


def message():
    subject = chance.choice([b"Alert", b"  Debit   alert ", b"Alert\r\n for your\r\n\taccount", b"", b"Re: \xe2\x82\xb9"])
    fields = [
        b"Received: from a by b;\r\n Mon, 23 Nov 2026 10:00:00 +0000",
        chance.choice([b"From", b"from", b"FROM"]) + b": Bank <alerts@bank.example>",
        b"To: someone@mailbox.example", b"Subject: " + subject, b"Date: Mon, 23 Nov 2026 10:00:00 +0000",
        b"Message-ID: <%d@bank.example>" % chance.randrange(1 << 30), b"MIME-Version: 1.0",
        b"Content-Type: text/plain;\r\n\tcharset=utf-8"]
    return b"\r\n".join(fields) + b"\r\n\r\n" + body(chance)


def changed(mail):
    """The mail after a list has changed its subject and its body, as lists do."""
    if chance.random() < 0.5:
        mail = re.sub(rb"\r\nSubject:[ \t]*", b"\r\nSubject: [list] ", mail, count=1)
    if chance.random() < 0.5:
        mail += (b"" if mail.endswith(b"\r\n") else b"\r\n") + b"-- \r\nYou receive this from the list.\r\n"
    return b"Received: from b by c;\r\n\tMon, 23 Nov 2026 10:00:05 +0000\r\n" + mail


def sealed(count, keys=KEYS, statuses=None, form=None, last={}, **options):
    """A mail with some sets. `options` are those of each set, `last` those of the newest."""
    mail = message()
    for number in range(1, count + 1):
        mail = changed(mail)
        results = (b"dkim=pass header.d=bank.example;\r\n\tdmarc=pass header.from=bank.example" if number == 1
                   else b"dkim=fail header.d=bank.example; arc=pass")
        status = (statuses or {}).get(number, b"none" if number == 1 else b"pass")
        more = dict(options, **(last if number == count else {}))
        mail = Sealer(mail, logger=silent).add(
            number, keys[number - 1], results, status, form or chance.choice(FORMS), **more) + mail
    return mail


def fields(mail):
    """The fields of the header with their folds, and the body."""
    head, _, rest = mail.partition(b"\r\n\r\n")
    return re.split(rb"\r\n(?![ \t])", head), rest


def joined(lines, rest):
    return b"\r\n".join(lines) + b"\r\n\r\n" + rest


def places(lines, name, number=None):
    """The places of the ARC fields of this name, or of one of them."""
    return [at for at, line in enumerate(lines) if line.lower().startswith(b"arc-" + name)
            and (number is None or re.search(rb"[\s;]i=%d;" % number, line))]


def edit(mail, name, change, number=None):
    """Changes one ARC field."""
    lines, rest = fields(mail)
    at = chance.choice(places(lines, name, number))
    lines[at] = change(lines[at])
    return joined(lines, rest)


def damaged(line):
    at = chance.randrange(line.index(b":") + 1, len(line))
    return line[:at] + bytes([chance.choice(b"abcdefgh0123456789=;: ABCXYZ+/")]) + line[at + 1:]


def make(kind):
    """Returns the mail, its number of sets, the key records and the time of arrival."""
    count = chance.choice([1, 1, 2, 2, 3])
    keys = {key.selector: key.record for key in KEYS}
    arrival = NOW
    mail = sealed(count)
    if kind == "body altered":
        lines, rest = fields(mail)
        at = chance.randrange(len(rest) + 1)
        mail = joined(lines, rest[:at] + chance.choice([b"x", b" ", b"\t", b"\r\n", b"9"]) + rest[at:])
    elif kind == "body cut":
        mail = mail[:len(mail) - chance.randrange(1, 30)] if len(fields(mail)[1]) > 30 else mail + b"more"
    elif kind == "header altered":
        mail = mail.replace(*chance.choice([
            (b"Bank <", b"Bonk <"), (b"Bank <", b"Bank  <"), (b"To: ", b"To:  "), (b"To: ", b"to:"),
            (b"Date: Mon", b"Date: Tue"), (b"someone@", b"other@"), (b"charset=utf-8", b"charset=utf-7")]))
    elif kind == "unsigned field altered":
        mail = mail.replace(b"Received: from a", b"Received: from evil").replace(b"MIME-Version: 1.0", b"MIME-Version: 1.1")
    elif kind == "field added":
        added = chance.choice([b"Subject: Other", b"From: x@evil.example", b"X-Spam: no", b"Content-Type: text/html"])
        mail = added + b"\r\n" + mail if chance.random() < 0.5 else mail.replace(b"\r\n\r\n", b"\r\n" + added + b"\r\n\r\n", 1)
    elif kind == "results altered":
        mail = edit(mail, b"authentication-results", lambda line: chance.choice([
            line.replace(b"bank.example", b"evil.example"), line.replace(b"dkim=", b"dkim =", 1), line + b" x",
            line.replace(b"; ", b";  "), line.replace(b"=pass", b"=fail").replace(b"i=1;", b"i=1;\r\n\t")]))
    elif kind == "signature altered":
        mail = edit(mail, b"message-signature", lambda line: chance.choice([
            line.replace(b"t=", b"t=1", 1), line.replace(b"from", b"from : cc", 1), line.replace(b"bh=", b"bh=A", 1),
            line.replace(b"rsa-sha256", b"rsa-sha1"), re.sub(rb"b=[^;]*$", b"b=QUJD", line), line + b";"]))
    elif kind == "seal altered":
        mail = edit(mail, b"seal", lambda line: chance.choice([
            line.replace(b"t=", b"t=1", 1), line.replace(b"cv=none", b"cv=pass").replace(b"a=", b"x=1; a=", 1),
            re.sub(rb"b=[^;]*$", b"b=QUJD", line), line + b";", line.replace(b"; ", b";\r\n\t", 1)]))
    elif kind == "field damaged":
        mail = edit(mail, chance.choice([b"seal", b"message-signature", b"authentication-results"]), damaged)
    elif kind == "field removed":
        lines, rest = fields(mail)
        del lines[chance.choice(places(lines, b""))]
        mail = joined(lines, rest)
    elif kind == "field repeated":
        lines, rest = fields(mail)
        at = chance.choice(places(lines, b""))
        lines.insert(chance.randrange(len(lines)), lines[at])
        mail = joined(lines, rest)
    elif kind == "set removed":
        lines, rest = fields(mail)
        number = chance.randrange(1, count + 1)
        mail = joined([line for at, line in enumerate(lines) if at not in places(lines, b"", number)], rest)
    elif kind == "newest set removed":
        count = 2
        lines, rest = fields(sealed(2))
        mail = joined([line for at, line in enumerate(lines) if at not in places(lines, b"", 2)], rest)
    elif kind == "sets renumbered":
        mail, count = sealed(3), 3
        mail = re.sub(rb"([\s;])i=([12]);", lambda found: found[1] + b"i=%d;" % (3 - int(found[2])), mail)
    elif kind == "sets moved":
        mail, count = sealed(3), 3
        lines, rest = fields(mail)
        moved = [lines[at] for at in places(lines, b"")]
        chance.shuffle(moved)
        mail = joined(moved + [line for at, line in enumerate(lines) if at not in places(lines, b"")], rest)
    elif kind == "set of another mail":
        lines, rest = fields(mail)
        mail = joined([line for at, line in enumerate(lines) if at in places(lines, b"")] + fields(message())[0], rest)
    elif kind == "wrong status":
        number = chance.randrange(1, count + 1)
        mail = sealed(count, statuses={number: chance.choice([b"pass" if number == 1 else b"none", b"fail", b"maybe"])})
    elif kind == "other key":
        keys[KEYS[chance.randrange(count)].selector] = OTHER.record
    elif kind == "other kind of key":
        keys[KEYS[chance.randrange(count)].selector] = ED25519
    elif kind == "no key":
        del keys[KEYS[chance.randrange(count)].selector]
    elif kind == "damaged key":
        selector = KEYS[chance.randrange(count)].selector
        record = keys[selector]
        keys[selector] = chance.choice([
            "v=DKIM1; p=", "v=DKIM2; " + record[9:], "p", ";;;", "v=DKIM1; k=dsa; " + record[record.index("p="):],
            record[:chance.randrange(len(record))], "v=DKIM1; s=other; " + record[9:], "v=DKIM1; h=sha1; " + record[9:],
            record.replace("p=", "p=!!")])
    elif kind == "test key":
        selector = KEYS[chance.randrange(count)].selector
        keys[selector] = keys[selector].replace("; k=", "; t=y; k=")
    elif kind == "key without version":
        keys = {selector: record.replace("v=DKIM1; ", "") for selector, record in keys.items()}
    elif kind == "short key":
        keys["short"] = SHORT.record
        mail = sealed(count, keys=[SHORT] * count)
    elif kind == "length":
        # The number is right for a message without changes on the way, and mostly wrong otherwise.
        text = b"Rs. 500 debited\r\n"
        mail = b"From: a@bank.example\r\nTo: b\r\nSubject: s\r\nDate: d\r\n\r\n" + text
        more = [(b"l", b"%d" % (len(text) - chance.choice([0, 0, 2])))]
        mail = Sealer(mail, logger=silent).add(
            1, KEYS[0], b"dkim=pass header.d=bank.example", b"none", b"relaxed/simple", more=more) + mail
        if chance.random() < 0.5:
            mail += b"Rs. 9,999 debited\r\n"
        count = 1
    elif kind == "expired":
        mail = sealed(count, last={"more": [(b"t", b"%d" % (NOW - 900000)), (b"x", b"%d" % (NOW - 400000))]})
    elif kind == "from the future":
        late = [(b"t", b"%d" % (NOW + 400000))]
        mail = sealed(count, last={chance.choice(["more", "seal_more"]): late})
    elif kind == "seal with h=":
        mail = sealed(count, last={"seal_more": [(b"h", b"from : subject")]})
    elif kind == "signed seal":
        mail = sealed(count, names=NAMES + [b"arc-seal"])
    elif kind == "from unsigned":
        mail = sealed(count, names=NAMES[1:])
    elif kind == "more names":
        mail = sealed(count, names=NAMES + [b"from", b"subject", b"x-missing", b"received", b"received"])
    elif kind == "LF":
        mail = mail.replace(b"\r\n", b"\n")
    return mail, count, keys, arrival


KINDS = [
    "sealed", "sealed", "sealed", "sealed", "body altered", "body cut", "header altered", "unsigned field altered",
    "field added", "results altered", "signature altered", "seal altered", "field damaged", "field damaged",
    "field removed", "field repeated", "set removed", "newest set removed", "sets renumbered", "sets moved",
    "set of another mail", "wrong status", "other key", "other kind of key", "no key", "damaged key", "test key",
    "key without version", "short key", "length", "expired", "from the future", "seal with h=", "signed seal",
    "from unsigned", "more names", "LF"]


def verdict(mail, keys):
    def record(name, timeout=5):
        return keys.get(name.decode("latin-1").split("._domainkey.")[0].lower(), "").encode()
    try:
        return dkim.ARC(mail, logger=silent).verify(dnsfunc=record)[0] == dkim.CV_Pass
    except Exception:  # dkimpy raises errors of many types for damage
        return False


for number in range(COUNT):
    kind = KINDS[number % len(KINDS)]
    mail, count, keys, arrival = make(kind)
    print(json.dumps({
        "kind": kind, "sets": count, "mail": base64.b64encode(mail).decode(), "keys": keys, "arrival": arrival,
        "verdict": verdict(mail, keys)}))
