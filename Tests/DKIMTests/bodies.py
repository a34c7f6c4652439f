"""Bodies of mail for the two oracles."""
WORDS = "Dear Customer, Rs. 500.00 debited from account XX1234 on 23-11-2026 at SHOP \u20b9 balance".split()


def body(chance):
    """The bytes of a random body with the blanks and line ends that canonicalization changes."""
    lines = []
    for _ in range(chance.choice([0, 1, 3, 10, 60])):
        words = [chance.choice(WORDS) for _ in range(chance.randrange(12))]
        line = chance.choice([" ", "  ", "\t", " \t "]).join(words) + chance.choice(["", "", " ", "\t", "  \t"])
        lines.append(line.encode())
    end = chance.choice([b"", b"\r\n", b"\r\n\r\n", b"\r\n \r\n", b"\r\n\r\n\t\r\n\r\n"])
    text = b"\r\n".join(lines) + end
    # dkimpy keeps white space at the end of a last line that has no line end; RFC 6376 section 3.4.4 removes it first.
    return text if text.endswith(b"\r\n") else text.rstrip(b" \t\r\n")
