// From fields, other header fields, and results of authentication.

extension HostileMail {
    /// Fixtures whose names begin so are decided with required authentication.
    static let resultsMark = "results: "

    static let senders: [HostileMail] = lookalikes + genuine + several

    private static func from(_ name: String, _ value: String, _ outcome: Outcome) -> HostileMail {
        HostileMail(name, message(header(from: value), outcome == .booked() ? alert : forged), outcome)
    }

    private static let lookalikes: [HostileMail] =
        [
            ("a display name", "\"alerts@bank.example\" <x@evil.example>"),
            ("a display name without quotation", "Test Bank <x@evil.example>"),
            ("a longer domain", "alerts@bank.example.evil.example"),
            ("a prefix of the domain", "alerts@mybank.example"),
            ("a hyphen", "alerts@bank-example.example"), ("another top level", "alerts@bank.example2"),
            ("zero for o", "alerts@bank.examp1e"), ("Cyrillic a", "alerts@b\u{430}nk.example"),
            ("Cyrillic e", "alerts@bank.\u{435}xample"),
            ("Greek omicron", "alerts@bank.example.\u{3BF}rg"), ("an A-label", "alerts@xn--bnk-7cd.example"),
            ("fullwidth letters", "alerts@\u{FF42}ank.example"),
            ("an ideographic full stop", "alerts@bank\u{3002}example"),
            ("a combining mark", "alerts@ba\u{323}nk.example"), ("a dotless i", "alerts@bank.ex\u{131}mple"),
            ("a zero-width space", "alerts@ba\u{200B}nk.example"), ("a soft hyphen", "alerts@ba\u{AD}nk.example"),
            ("a right-to-left mark", "alerts@bank.example\u{200F}.evil.example"),
            ("an override", "\u{202E}elpmaxe.knab@strela"),
            ("a percent route", "alerts%bank.example@evil.example"),
            ("an exclamation route", "bank.example!alerts@evil.example"),
            ("a quoted address", "\"alerts@bank.example\"@evil.example"),
            ("a comment", "x@evil.example (alerts@bank.example)"),
            ("a domain literal", "alerts@[192.0.2.1]"),
            ("a comment in the domain", "alerts@evil.example(bank.example)"),
            ("an underscore", "alerts@bank_.example"), ("a trailing hyphen", "alerts@bank-.example"),
            ("no local part", "@bank.example"),
            ("no domain", "alerts@"), ("only a name", "Bank"), ("empty", ""), ("only brackets", "<>"),
            ("unclosed quotation", "\"alerts@bank.example"),
            ("unclosed comment", "(alerts@bank.example"), ("an encoded address", "=?utf-8?q?alerts=40bank.example?="),
            ("an encoded address as a name", "=?utf-8?q?alerts=40bank.example?= <x@evil.example>"),
            ("an empty group", "undisclosed-senders:;"),
        ].map { from($0, $1, .unclaimed) }

    private static let genuine: [HostileMail] =
        [
            ("bare", "alerts@bank.example"), ("in brackets", "<alerts@bank.example>"),
            ("in capitals", "ALERTS@BANK.EXAMPLE"),
            ("name in quotation marks", "\"Bank, of Example\" <alerts@bank.example>"),
            ("a folded name", "Bank\r\n <alerts@bank.example>"),
            ("a comment behind", "alerts@bank.example (Bank)"),
            ("its address as name", "alerts@bank.example <alerts@bank.example>"),
            ("an encoded name", "=?utf-8?b?QmFuaw==?= <alerts@bank.example>"),
            ("a damaged encoded name", "=?utf-8?b?QmF <alerts@bank.example>"),
            ("a name of terminal escapes", "\u{1B}[2J\u{1B}]0;x\u{7} <alerts@bank.example>"),
            ("a name of bidi controls", "\u{202E}knaB\u{202C} <alerts@bank.example>"),
            ("a long name", String(repeating: "Bank ", count: 2000) + "<alerts@bank.example>"),
            ("blanks around", "   alerts@bank.example   "),
            ("a group of one", "Bank: alerts@bank.example;"),
        ].map { from($0, $1, .booked()) }

    private static let several: [HostileMail] =
        [
            ("two addresses", "alerts@bank.example, x@evil.example"),
            ("the bank behind", "x@evil.example, alerts@bank.example"),
            ("a group of another", "alerts@bank.example: x@evil.example;"),
            ("two in a group", "Bank: alerts@bank.example, x@evil.example;"),
            ("an address and a group", "alerts@bank.example, Bank: x@evil.example;"),
            ("two in brackets", "<alerts@bank.example> <x@evil.example>"),
            ("name and address differ", "x@evil.example <alerts@bank.example>"),
            ("a semicolon", "alerts@bank.example; x@evil.example"),
            ("two banks", "alerts@bank.example, alerts@card.example"),
            ("a source route", "<@evil.example:alerts@bank.example>, x@evil.example"),
        ].map { from($0, $1, .quarantined) }
        + [
            HostileMail(
                "two fields", message(header(from: "alerts@bank.example\r\nFrom: x@evil.example"), forged), .quarantined
            ),
            HostileMail(
                "two fields, the bank behind",
                message(header(from: "x@evil.example\r\nFrom: alerts@bank.example"), forged), .quarantined),
            HostileMail(
                "two fields in other cases",
                message(header(from: "alerts@bank.example\r\nFROM: x@evil.example"), forged), .quarantined),
            HostileMail(
                "a field with a blank before its colon",
                message(header(from: "x@evil.example\r\nFrom : alerts@bank.example"), forged), .quarantined),
            HostileMail("no field", message(header(from: nil), forged), .unclaimed),
            HostileMail(
                "a field in the body", message(header(from: nil), "From: alerts@bank.example\r\n\r\n\(forged)"),
                .unclaimed),
            HostileMail(
                "Sender, not From", message(header(from: "x@evil.example", ["Sender: alerts@bank.example"]), forged),
                .unclaimed),
            HostileMail(
                "Reply-To, not From",
                message(header(from: "x@evil.example", ["Reply-To: alerts@bank.example"]), forged), .unclaimed),
            HostileMail(
                "Resent-From, not From",
                message(header(from: "x@evil.example", ["Resent-From: alerts@bank.example"]), forged), .unclaimed),
            HostileMail(
                "a new address of the bank", message(header(from: "cards@bank.example")), .doubted("new_sender")),
            HostileMail(
                "a subdomain of the bank", message(header(from: "alerts@mail.bank.example")), .unclaimed),
        ]

    static let headers: [HostileMail] =
        [
            ("lines that are no fields", ["this is no field", "nor: this", ": nor this"]),
            ("a field name of blanks", ["X Y Z: 1"]),
            ("a field name of other bytes", ["X\u{E9}\u{1}: 1"]), ("NUL in a field", ["X: a\u{0}b"]),
            ("a field of 5,000 bytes", ["X: " + String(repeating: "x", count: 5000)]),
            ("1,000 fields", [String](repeating: "X: y", count: 1000)),
            ("a folded line of blanks", ["X: y", " ", "\t"]),
            ("a carriage return alone", ["X: y\rZ: w"]), ("an empty name", [": x"]),
            ("terminal escapes", ["X: \u{1B}[31m"]),
            ("two dates", ["Date: Tue, 6 Jan 2026 10:10:00 +0530"]),
            ("two Message-IDs", ["Message-ID: <2@bank.example>"]),
            ("two subjects", ["Subject: declined"]),
            ("a Message-ID of 5,000 bytes", ["Message-ID: <" + String(repeating: "x", count: 5000) + ">"]),
            ("MIME-Version of another", ["MIME-Version: 9.9"]),
            ("100 Received fields", (0..<100).map { "Received: from a by b\($0); Mon, 5 Jan 2026 10:10:00 +0530" }),
            ("a Content-ID of signs", ["Content-ID: <<<>>>"]),
            ("a forged result", ["Authentication-Results: mx.example; dmarc=pass"]),
        ].map { HostileMail($0, message(header($1)), .booked()) }
        + [
            HostileMail(
                "line feeds alone",
                Array(String(decoding: message(), as: UTF8.self).replacing("\r\n", with: "\n").utf8), .booked()),
            HostileMail(
                "doubled carriage returns",
                Array(String(decoding: message(), as: UTF8.self).replacing("\r\n", with: "\r\r\n").utf8), .booked()),
            HostileMail("a mbox line", Array("From x Mon Jan  5 10:10:00 2026\r\n".utf8) + message(), .booked()),
            HostileMail("a first line of blanks", Array("  \r\n".utf8) + message(), .booked()),
            HostileMail("an empty first line", Array("\r\n".utf8) + message(), .unclaimed),
            HostileMail("a byte order mark", [0xEF, 0xBB, 0xBF] + message(), .unclaimed),
            HostileMail("nothing", [], .unclaimed), HostileMail("one byte", [0], .unclaimed),
            HostileMail("all bytes", [UInt8](0...255), .unclaimed),
        ]
        + [
            ("an impossible date", "Date: Mon, 99 Foo 2026 99:99:99 +9999"), ("an empty date", "Date:"),
            ("a date of digits", "Date: 9999999999999999999999"),
            ("a date before the calendar", "Date: Mon, 5 Jan 0001 10:10:00 +0530"),
            ("a date in 60,000 years", "Date: Mon, 5 Jan 62026 10:10:00 +0530"),
        ].map { name, field in
            let bytes = String(decoding: message(), as: UTF8.self).replacing(
                "Date: Mon, 5 Jan 2026 10:10:00 +0530", with: field)
            return HostileMail(name, Array(bytes.utf8), name == "a date before the calendar" ? .review : .booked())
        }

    static let results: [HostileMail] =
        [
            ("none", []),
            ("of another server", ["Authentication-Results: mx.evil.example; dmarc=pass header.from=bank.example"]),
            ("of the server, failed", ["Authentication-Results: mx.example; dmarc=fail header.from=bank.example"]),
            ("of the server, none", ["Authentication-Results: mx.example; none"]),
            ("of the server, empty", ["Authentication-Results: mx.example;"]),
            ("for another domain", ["Authentication-Results: mx.example; dmarc=pass header.from=evil.example"]),
            ("a signature of another", ["Authentication-Results: mx.example; dkim=pass header.d=evil.example"]),
            (
                "a look-alike server",
                ["Authentication-Results: mx.example.evil.example; dmarc=pass header.from=bank.example"]
            ),
            (
                "a result in a comment",
                ["Authentication-Results: mx.example; dmarc=fail (dmarc=pass header.from=bank.example)"]
            ),
            (
                "a result in a quotation",
                ["Authentication-Results: mx.example; dmarc=fail reason=\"; dmarc=pass header.from=bank.example\""]
            ),
            ("an unclosed comment", ["Authentication-Results: mx.example (; dmarc=pass header.from=bank.example"]),
            (
                "an unclosed quotation",
                ["Authentication-Results: mx.example; x=\" ; dmarc=pass header.from=bank.example"]
            ),
            (
                "failed, then passed",
                [
                    "Authentication-Results: mx.example; dmarc=fail header.from=bank.example",
                    "Authentication-Results: mx.example; dmarc=pass header.from=bank.example",
                ]
            ),
            (
                "below a Received field",
                [
                    "Received: from a by b; Mon, 5 Jan 2026 10:10:00 +0530",
                    "Received: from c by d; Mon, 5 Jan 2026 10:10:00 +0530", "X: y",
                    "Authentication-Results: mx.evil.example; dmarc=pass",
                ]
            ),
            (
                "in a field of another name",
                ["X-Authentication-Results: mx.example; dmarc=pass header.from=bank.example"]
            ),
            ("only SPF of another", ["Authentication-Results: mx.example; spf=pass smtp.mailfrom=evil.example"]),
            ("only the domain's name", ["Authentication-Results: mx.example; dkim=pass header.i=@notbank.example"]),
            ("a passed unknown method", ["Authentication-Results: mx.example; x-bank=pass header.from=bank.example"]),
        ].map { name, fields in HostileMail(resultsMark + name, message(header(fields), forged), .quarantined) }
        + [
            HostileMail(
                resultsMark + "passed",
                message(header(["Authentication-Results: mx.example; dmarc=pass header.from=bank.example"])), .booked()),
            HostileMail(
                resultsMark + "a signature of the bank",
                message(header(["Authentication-Results: mx.example; dkim=pass header.d=bank.example"])), .booked()),
        ]
}
