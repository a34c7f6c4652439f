"""Makes the mails of a benchmark: alerts in the wording of three banks with invented values, and other mail between them."""
import base64
import email.utils
import quopri
import random

SENDERS = ["alerts@hdfcbank.bank.in", "credit_cards@icici.bank.in", "cbssbi.cas@alerts.sbi.bank.in"]
PAYEES = ["GREEN LEAF CAFE", "LAKE BAKERY", "KITE PETROL PUMP", "TARA LOOM WORKS", "MORNING COFFEE", "NEELAM DRAPERS"]
INDIA = 19_800  # seconds before UTC
STYLE = "td { color: #333; font-family: Arial, sans-serif; font-size: 14px } " * 40
WORDS = "order parcel season offer garden river window letter basket morning paper silver".split()


def rupees(minor):
    """1,23,456.78 of 12345678."""
    whole, rest = divmod(minor, 100)
    digits, groups = str(whole), []
    groups.insert(0, digits[-3:])
    digits = digits[:-3]
    while digits:
        groups.insert(0, digits[-2:])
        digits = digits[:-2]
    return f"{','.join(groups)}.{rest:02d}"


def day(moment, form):
    return email.utils.datetime.datetime.fromtimestamp(moment + INDIA, email.utils.datetime.timezone.utc).strftime(form)


def page(text):
    """An HTML page as banks send: more style than text."""
    lines = "<br>\r\n".join(text.splitlines())
    return (f"<html><head><style>{STYLE}</style></head><body><table width=\"600\"><tr><td>{lines}</td></tr>"
            "<tr><td>Never share your OTP, PIN or CVV with anyone.</td></tr></table></body></html>\r\n")


def message(number, sender, name, subject, body, encoding, moment):
    """The bytes of one message as a provider stores it, which has confirmed the sender."""
    domain = sender.partition("@")[2]
    content = body.encode()
    if encoding == "base64":
        content = base64.encodebytes(content).replace(b"\n", b"\r\n")
    elif encoding == "quoted-printable":
        content = quopri.encodestring(content.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    stamp = email.utils.formatdate(moment)
    header = (
        "Delivered-To: asha@example.com\r\n"
        f"Received: by mx.example.net with SMTP id {number:08x}; {stamp}\r\n"
        "Authentication-Results: mx.example.net;\r\n"
        f"       dkim=pass header.i=@{domain} header.s=s1;\r\n"
        f"       dmarc=pass (p=REJECT) header.from={domain}\r\n"
        f"From: {name} <{sender}>\r\nTo: asha@example.com\r\nSubject: {subject}\r\nDate: {stamp}\r\n"
        f"Message-ID: <bench-{number}@{domain}>\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: text/{'plain' if encoding == '8bit' else 'html'}; charset=utf-8\r\n"
        f"Content-Transfer-Encoding: {encoding}\r\n\r\n")
    return header.encode() + content


def alert(number, moment, rng):
    """An alert that books one expense."""
    minor, payee = rng.randrange(1_000, 5_000_000), rng.choice(PAYEES)
    reference = 620_000_000_000 + number
    if number % 3 == 0:
        text = (f"Dear Customer,\nGreetings from HDFC Bank!\n<b>Rs.{rupees(minor)}</b> is debited from your account ending "
                f"<b>4410</b> towards VPA payee{number}@ybl ({payee}) on {day(moment, '%d-%m-%y')}.\nUPI transaction "
                f"reference no.: {reference}.\nIf you did not authorize this transaction, please report it.")
        return message(number, SENDERS[0], "HDFC Bank InstaAlerts", "You have done a UPI txn. Check details!", page(text),
                       "quoted-printable", moment)
    if number % 3 == 1:
        text = ("Dear Customer,\r\nYour ICICI Bank Credit Card XX6021 has been used for a transaction of INR "
                f"{rupees(minor)} on {day(moment, '%b %d, %Y')} at {day(moment, '%I:%M:%S')}. Info: {payee}.\r\nThe Available "
                "Credit Limit on your card is INR 1,63,588.00 and Total Credit Limit is INR 2,75,000.00.\r\n")
        return message(number, SENDERS[1], "ICICI Bank Credit Cards", "Transaction alert for your ICICI Bank Credit Card",
                       text, "8bit", moment)
    text = (f"Dear UPI user A/C X4417 debited by {minor // 100}.0 on date {day(moment, '%d%b%y')} trf to {payee} "
            f"Refno {reference}. If not u? call 1800111109. -SBI")
    return message(number, SENDERS[2], "SBI Alerts", "CBSSBI ALERT", page(text), "base64", moment)


def newsletter(number, moment, rng):
    text = "\r\n".join(" ".join(rng.choice(WORDS) for _ in range(12)) for _ in range(60))
    return message(number, "news@shop.example", "A shop", "This week", page(text), "quoted-printable", moment)


def mailbox(count, share, now, seed=1):
    """Yields (message, moment of delivery, whether it is an alert); the same messages for the same arguments."""
    rng = random.Random(seed)
    for number in range(count):
        moment = now - (count - number) * (60 * 86_400 // max(count, 1)) - 60
        if rng.random() < share:
            yield alert(number, moment, rng), moment, True
        else:
            yield newsletter(number, moment, rng), moment, False
