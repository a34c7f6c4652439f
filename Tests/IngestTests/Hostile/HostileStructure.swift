// Multiparts, nested messages, and messages of any size.

extension HostileMail {
    /// Parts inside parts: `depth` multiparts around one text.
    private static func nested(_ depth: Int, isClosed: Bool = true) -> [UInt8] {
        var open = ""
        var close = ""
        for level in 0..<depth {
            open += "Content-Type: multipart/mixed; boundary=b\(level)\r\n\r\n--b\(level)\r\n"
            if isClosed { close = "\r\n--b\(level)--\r\n" + close }
        }
        return Array((header() + open + plainPart() + close).utf8)
    }

    private static func many(_ count: Int, _ part: String = "Content-Type: image/png\r\n\r\nx") -> [UInt8] {
        multipart([String](repeating: part, count: count - 1) + [plainPart()])
    }

    private static func forwarded(_ type: String, _ fields: String = "") -> String {
        "Content-Type: \(type)\r\n\(fields)\r\n" + header() + "\r\n" + forged
    }

    static let structures: [HostileMail] = bombs + alternatives + others

    private static let bombs: [HostileMail] =
        [1, 2, 8, 31].map { HostileMail("\($0) multiparts in each other", nested($0), .booked()) }
        + [100, 1000, 5000].map {
            HostileMail("\($0) multiparts in each other", nested($0), .failed("mime-depth"))
        }
        + [
            HostileMail("100 multiparts that never end", nested(100, isClosed: false), .failed("mime-depth")),
            HostileMail("2 multiparts that never end", nested(2, isClosed: false), .booked()),
            HostileMail("499 parts", many(499), .booked()),
            HostileMail("5,000 parts", many(5000), .failed("part-count")),
            HostileMail("50,000 parts", many(50_000), .failed("part-count")),
            HostileMail("5,000 empty parts", many(5000, ""), .failed("part-count")),
            HostileMail(
                "100,000 delimiters and nothing else",
                message(
                    header(["Content-Type: multipart/mixed; boundary=b"]), String(repeating: "--b\r\n", count: 100_000)),
                .failed("part-count")),
        ]

    /// Another movement, in words that no template of these tests reads.
    private static let debit = "Rs.9999.00 has been debited from your account ending 7777 on 05-01-2026."

    private static let alternatives: [HostileMail] = [
        HostileMail(
            "a forged plain form", multipart("alternative", [plainPart(forged), htmlPart("<p>\(alert)</p>")]), .booked()
        ),
        HostileMail(
            "a forged plain form behind", multipart("alternative", [htmlPart("<p>\(alert)</p>"), plainPart(forged)]),
            .booked()),
        HostileMail(
            "an HTML form without words", multipart("alternative", [plainPart(), htmlPart("<img src=x>")]), .booked()),
        HostileMail(
            "an HTML form of hidden words",
            multipart("alternative", [plainPart(), htmlPart("<p hidden>\(forged)</p>")]),
            .booked()),
        HostileMail(
            "an HTML form of white words",
            multipart("alternative", [plainPart(), htmlPart("<p style='color:#fff'>\(forged)</p>")]), .booked()),
        HostileMail(
            "two plain forms", multipart("alternative", [plainPart("\(alert) First."), plainPart()]), .booked()),
        HostileMail(
            "a related form", multipart("related", [htmlPart("<p>\(alert)</p>"), "Content-Type: image/png\r\n\r\nx"]),
            .booked()),
        HostileMail("two texts", multipart([plainPart(), plainPart(debit)]), .doubted("second_transaction")),
        HostileMail(
            "two texts, one of HTML", multipart([htmlPart(alert), plainPart(debit)]), .doubted("second_transaction")),
        HostileMail("the same text twice", multipart([plainPart(), plainPart()]), .booked()),
        HostileMail(
            "two payments of one form", multipart([plainPart(), plainPart(sentence(amount: "700.00"))]),
            .doubted("second_transaction")),
        HostileMail(
            "two payments of one amount", multipart([plainPart(), plainPart(sentence(merchant: "BAKERY"))]),
            .doubted("second_transaction")),
    ]

    private static let pdf =
        "Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\n%PDF"

    private static let others: [HostileMail] = [
        HostileMail("an attached message", multipart([plainPart(), forwarded("message/rfc822")]), .booked()),
        HostileMail("an attached message only", multipart([forwarded("message/rfc822")]), .ignored),
        HostileMail(
            "an attached message, inline",
            multipart([plainPart(), forwarded("message/rfc822", "Content-Disposition: inline\r\n")]),
            .booked()),
        HostileMail("an attached global message", multipart([plainPart(), forwarded("message/global")]), .booked()),
        HostileMail("a digest", multipart("digest", ["\r\n" + header() + "\r\n" + forged]), .ignored),
        HostileMail(
            "a message as the body", message(header(["Content-Type: message/rfc822"]), header() + "\r\n" + forged),
            .ignored),
        HostileMail(
            "a part of a message", message(header(["Content-Type: message/partial; id=x; number=1"]), forged), .ignored),
        HostileMail(
            "a body elsewhere", message(header(["Content-Type: message/external-body; access-type=URL"]), forged),
            .ignored),
        HostileMail(
            "attached text", multipart([plainPart(), "Content-Disposition: attachment\r\n" + plainPart(forged)]),
            .booked()),
        HostileMail(
            "attached text only", multipart(["Content-Disposition: attachment\r\n" + plainPart(forged)]), .ignored),
        HostileMail(
            "attached HTML",
            multipart([plainPart(), "Content-Disposition: ATTACHMENT; filename=a.html\r\n" + htmlPart(forged)]),
            .booked()),
        HostileMail(
            "a calendar entry", multipart([plainPart(), "Content-Type: text/calendar\r\n\r\n\(forged)"]), .booked()),
        HostileMail("a PDF", multipart([plainPart(), pdf]), .booked()),
        HostileMail(
            "a preamble",
            message(
                header(["Content-Type: multipart/mixed; boundary=b"]),
                forged + "\r\n--b\r\n" + plainPart() + "\r\n--b--\r\n"), .booked()),
        HostileMail("an epilogue", multipart([plainPart()], end: "--b--\r\n\(forged)\r\n"), .booked()),
        HostileMail(
            "parts behind the end", multipart([plainPart()], end: "--b--\r\n--b\r\n\(plainPart(forged))\r\n--b--\r\n"),
            .booked()),
        HostileMail("no closing delimiter", multipart([plainPart()], end: ""), .booked()),
        HostileMail("no delimiter at all", message(header(["Content-Type: multipart/mixed; boundary=b"])), .review),
        HostileMail(
            "no boundary", message(header(["Content-Type: multipart/mixed"]), "--b\r\n" + plainPart(forged)), .review),
        HostileMail(
            "an empty boundary",
            message(header(["Content-Type: multipart/mixed; boundary=\"\""]), "--\r\n" + plainPart()), .booked()),
        HostileMail(
            "an unclosed quotation",
            message(header(["Content-Type: multipart/mixed; boundary=\"b"]), "--b\r\n" + plainPart() + "\r\n--b--"),
            .review),
        HostileMail(
            "two boundaries",
            message(
                header(["Content-Type: multipart/mixed; boundary=b; boundary=c"]),
                "--b\r\n\(plainPart())\r\n--b--\r\n--c\r\n\(plainPart(forged))\r\n--c--\r\n"), .booked()),
        HostileMail(
            "two types",
            message(
                header(["Content-Type: text/plain", "Content-Type: multipart/mixed; boundary=b"]), alert), .booked()),
        HostileMail("a type that is none", message(header(["Content-Type: text"]), alert), .booked()),
        HostileMail("an empty type", message(header(["Content-Type:"]), alert), .booked()),
        HostileMail("a type of signs", message(header(["Content-Type: ///;;;=\"\\"]), alert), .booked()),
        HostileMail("an unknown type", message(header(["Content-Type: x/y"]), forged), .ignored),
        HostileMail("a picture with text", message(header(["Content-Type: image/png"]), forged), .ignored),
        HostileMail("an unknown kind of text", message(header(["Content-Type: text/x-other"]), alert), .ignored),
        HostileMail(
            "HTML that is called plain", message(header(["Content-Type: text/plain"]), "<p hidden>\(forged)</p>"),
            .review),
        HostileMail("an unknown multipart", multipart("x-other", [plainPart()]), .booked()),
        HostileMail(
            "a signed message", multipart("signed", [plainPart(), "Content-Type: application/pgp-signature\r\n\r\nx"]),
            .booked()),
        HostileMail(
            "an encrypted message", multipart("encrypted", ["Content-Type: application/octet-stream\r\n\r\nx"]),
            .ignored),
        HostileMail(
            "a report of delivery", multipart("report", [plainPart("Not delivered."), forwarded("message/rfc822")]),
            .ignored),
        HostileMail("no body", message(header(), ""), .ignored),
        HostileMail("no empty line", Array(header().dropLast(2).utf8), .ignored),
        HostileMail("a body of blanks", message(header(), String(repeating: " \r\n", count: 500)), .ignored),
        HostileMail("a body of NUL", message(header(), [UInt8](repeating: 0, count: 5000)), .ignored),
    ]

    static let sizes: [HostileMail] = [
        HostileMail(
            "a million fields", message(header([String](repeating: "X: y", count: 1_000_000))), .failed("header-bytes")),
        HostileMail(
            "a field of 10 MB", message(header(["X-Long: " + String(repeating: "x", count: 10 << 20)])),
            .failed("header-bytes")),
        HostileMail(
            "a subject of 10 MB", message(header(subject: String(repeating: "x", count: 10 << 20))),
            .failed("header-bytes")),
        HostileMail(
            "a million continuation lines", message(header(["X: y" + String(repeating: "\r\n z", count: 1_000_000)])),
            .failed("header-bytes")),
        HostileMail("a header that never ends", Array(String(repeating: header(), count: 3000).utf8), .quarantined),
        HostileMail(
            "From behind the limit",
            message(header(from: nil, ["X: " + String(repeating: "x", count: 300_000), "From: alerts@bank.example"])),
            .unclaimed),
        HostileMail(
            "text of 1 MB before the payment", message(header(), String(repeating: "word ", count: 200_000) + alert),
            .failed("rendered-text-bytes")),
        HostileMail(
            "text of 1 MB behind the payment", message(header(), alert + String(repeating: " word", count: 200_000)),
            .failed("rendered-text-bytes")),
        HostileMail(
            "text of 5 MB", message(header(), alert + String(repeating: " ", count: 5 << 20)),
            .failed("text-part-bytes")),
        HostileMail(
            "one word of 1 MB", message(header(), alert + "\r\n" + String(repeating: "x", count: 1 << 20)),
            .failed("rendered-text-bytes")),
        HostileMail(
            "33 MB of attachment",
            multipart([plainPart(), "Content-Type: application/pdf\r\n\r\n" + String(repeating: "x", count: 33 << 20)]),
            .failed("message-bytes")),
        HostileMail(
            "1,000 open elements", html(String(repeating: "<div>", count: 1000) + alert), .failed("element-depth")),
        HostileMail(
            "100,000 open elements", html(String(repeating: "<b>", count: 100_000) + alert), .failed("element-depth")),
        HostileMail(
            "20,000 rules",
            html("<style>" + (0..<20_000).map { ".c\($0){color:#fff}" }.joined() + "</style><p>\(alert)"), .booked()),
        HostileMail(
            "100,000 classes",
            html("<style>.x{color:#000}</style><p class='" + String(repeating: "x ", count: 100_000) + "'>\(alert)"),
            .booked()),
        HostileMail(
            "100,000 declarations",
            html("<p style='" + String(repeating: "color:#fff;", count: 100_000) + "color:#000'>\(alert)"), .booked()),
        HostileMail(
            "100,000 changes of colour",
            html(String(repeating: "<i style='color:#e4e4e4'>x</i><i>y</i>", count: 50_000) + "<p>\(alert)"), .booked()),
        HostileMail(
            "200,000 stray end tags", html(String(repeating: "</b>", count: 200_000) + "<p>\(alert)"), .booked()),
        HostileMail(
            "a million braces", html("<style>" + String(repeating: "{", count: 1_000_000) + "</style><p>\(alert)"),
            .booked()),
        HostileMail(
            "a million at-signs", html("<style>" + String(repeating: "@a{", count: 100_000) + "</style><p>\(alert)"),
            .booked()),
        HostileMail(
            "a million semicolons", html("<style>" + String(repeating: "@;", count: 500_000) + "{}</style><p>\(alert)"),
            .booked()),
        HostileMail(
            "100,000 styles without a semicolon",
            html(String(repeating: "<i style=x>y</i>", count: 100_000) + "<p>\(alert)"), .booked()),
        HostileMail(
            "100,000 empty styles", html(String(repeating: "<i style=x></i>", count: 200_000) + "<p>\(alert)"),
            .booked()),
        HostileMail(
            "50,000 sheets in 500 elements",
            html(
                String(repeating: "<div class=x>", count: 500)
                    + String(repeating: "<style>.x{color:#000}</style>", count: 50_000) + "<p>\(alert)"), .booked()),
    ]
}
