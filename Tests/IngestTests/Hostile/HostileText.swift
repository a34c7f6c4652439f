import Foundation

// Transfer encodings, charsets, encoded words and single characters.

extension HostileMail {
    private static func encoded(
        _ encoding: String, _ body: String, type: String = "text/plain; charset=utf-8"
    ) -> [UInt8] {
        message(header(["Content-Type: \(type)", "Content-Transfer-Encoding: \(encoding)"]), body)
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func quoted(_ text: String) -> String {
        text.utf8.map { String(format: "=%02X", $0) }.joined()
    }

    private static let half = alert.index(alert.startIndex, offsetBy: 30)

    /// Forms of the true payment that every reader decodes.
    private static let readable: [(String, String, String)] = [
        ("Base64", "base64", base64(alert)), ("Base64 in capitals", "BASE64", base64(alert)),
        ("Base64 in lines of one character", "base64", base64(alert).map { "\($0)\r\n" }.joined()),
        ("Base64 with other characters", "base64", base64(alert).map { "\($0)!" }.joined()),
        ("Base64 without padding", "base64", base64(alert).replacing("=", with: "")),
        ("Base64 with too much padding", "base64", base64(alert) + "===="),
        (
            "Base64 in two groups with padding", "base64",
            base64(String(alert[..<half])) + base64(String(alert[half...]))
        ),
        ("Base64 with bytes that are not ASCII", "base64", "\u{E9}" + base64(alert)),
        ("Base64 with NUL", "base64", "\u{0}" + base64(alert)),
        ("Base64 behind blanks", "base64", "   \t\r\n\r\n" + base64(alert)),
        ("quoted-printable", "quoted-printable", quoted(alert)),
        ("quoted-printable in small letters", "Quoted-Printable", quoted(alert).lowercased()),
        ("quoted-printable with soft line breaks", "quoted-printable", alert.map { "\($0)=\r\n" }.joined()),
        ("quoted-printable with blanks behind =", "quoted-printable", alert.map { "\($0)=  \t\r\n" }.joined()),
        ("quoted-printable of plain text", "quoted-printable", alert),
        ("quoted-printable that ends in =", "quoted-printable", alert + "\r\n="),
        ("quoted-printable with a wrong escape", "quoted-printable", alert + "\r\n=ZZ=G=1"),
        ("7bit", "7bit", alert), ("8bit", "8bit", alert), ("binary", "binary", alert),
        ("an unknown encoding", "x-other", alert),
        ("an empty encoding", "", alert), ("an encoding of signs", "=?;\"", alert),
        ("an encoding with a comment", "7bit (none)", alert),
    ]

    static let encodings: [HostileMail] =
        readable.map { HostileMail($0, encoded($1, $2), .booked()) }
        + readable.map {
            HostileMail("\($0), HTML", encoded($1, $2, type: "text/html; charset=utf-8"), .booked())
        }
        + [
            HostileMail("Base64 that is none", encoded("base64", "!!!! ???? ----"), .review),
            HostileMail("Base64 of Base64", encoded("base64", base64(base64(forged))), .doubted("damaged_mail")),
            HostileMail(
                "Base64 of Base64 in lines",
                encoded(
                    "base64", Data(base64(forged + forged).utf8).base64EncodedString(options: .lineLength76Characters)),
                .doubted("damaged_mail")),
            HostileMail(
                "Base64 that is not declared", encoded("7bit", base64(forged + forged)), .doubted("damaged_mail")),
            HostileMail(
                "quoted-printable that is not declared", encoded("7bit", quoted(forged)), .doubted("damaged_mail")),
            HostileMail(
                "quoted-printable twice", encoded("quoted-printable", quoted(quoted(forged))),
                .doubted("damaged_mail")),
            HostileMail(
                "characters of HTML, escaped twice",
                encoded("7bit", forged.unicodeScalars.map { "&amp;#\($0.value);" }.joined(), type: "text/html"),
                .doubted("damaged_mail")),
            HostileMail(
                "an address in place of a text", encoded("7bit", "https://bank.example/" + base64(forged)), .ignored),
            HostileMail("Base64 cut in the amount", encoded("base64", String(base64(alert).prefix(8))), .ignored),
            HostileMail("Base64 of plain text", encoded("base64", forged), .review),
            HostileMail(
                "Base64 of a bomb of padding", encoded("base64", String(repeating: "=", count: 1_000_000)), .review),
            HostileMail("quoted-printable cut in an escape", encoded("quoted-printable", "Rs=2"), .ignored),
            HostileMail("quoted-printable of NUL", encoded("quoted-printable", "=00" + alert), .booked()),
            HostileMail(
                "quoted-printable of control characters", encoded("quoted-printable", "=1B=08" + alert + "=7F"),
                .booked()),
            HostileMail(
                "two encodings",
                message(header(["Content-Transfer-Encoding: 7bit", "Content-Transfer-Encoding: base64"]), alert),
                .booked()),
            HostileMail(
                "an encoding of a multipart",
                message(
                    header(["Content-Type: multipart/mixed; boundary=b", "Content-Transfer-Encoding: base64"]),
                    "--b\r\n\(plainPart())\r\n--b--\r\n"), .booked()),
        ]

    private static func charset(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        message(header(["Content-Type: text/plain; charset=\(label)"]), bytes)
    }

    private static func units(_ text: String, _ width: Int, big: Bool) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in
            let bytes = (0..<width).map { UInt8(truncatingIfNeeded: scalar.value >> UInt32(8 * $0)) }
            return big ? bytes.reversed() : bytes
        }
    }

    /// Letters and digits of EBCDIC (code page 37); other characters are blanks.
    private static func ebcdic(_ text: String) -> [UInt8] {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39: byte - 0x30 + 0xF0
            case 0x61...0x69: byte - 0x61 + 0x81
            case 0x6A...0x72: byte - 0x6A + 0x91
            case 0x73...0x7A: byte - 0x73 + 0xA2
            case 0x41...0x49: byte - 0x41 + 0xC1
            case 0x4A...0x52: byte - 0x4A + 0xD1
            case 0x53...0x5A: byte - 0x53 + 0xE2
            default: 0x20
            }
        }
    }

    static let charsets: [HostileMail] =
        [
            "utf-8", "UTF8", "us-ascii", "iso-8859-1", "iso-8859-15", "windows-1252", "koi8-r", "gb18030", "big5",
            "shift_jis",
            "euc-kr", "iso-2022-jp", "tis-620", "macintosh", "windows-1256", "utf-7", "\"utf-8\"", "'utf-8'", " utf-8 ",
            "",
            "x-unknown", "utf-9", "UTF-8; charset=utf-16", "utf-16", "utf-16le", "utf-16be", "iso-2022-cn-ext", "\u{1}",
            "\"", "../../etc/passwd",
            "utf-8//TRANSLIT", "utf-8//IGNORE", String(repeating: "x", count: 1000), "ebcdic-us", "hz-gb-2312",
            "unicode-1-1-utf-7",
        ].enumerated().map { number, label in
            HostileMail(
                "\(number): \(label.prefix(20).unicodeScalars.filter { $0.value > 32 })",
                charset(label, Array(alert.utf8)), .booked())
        }
        + [
            HostileMail("UTF-16LE", charset("utf-16le", units(alert, 2, big: false)), .booked()),
            HostileMail("UTF-16BE", charset("utf-16be", units(alert, 2, big: true)), .booked()),
            HostileMail(
                "UTF-16 with its mark", charset("utf-16", [0xFF, 0xFE] + units(alert, 2, big: false)), .booked()),
            HostileMail(
                "UTF-16BE with its mark", charset("utf-16", [0xFE, 0xFF] + units(alert, 2, big: true)), .booked()),
            HostileMail(
                "UTF-16 with a mark, called UTF-8", charset("utf-8", [0xFF, 0xFE] + units(alert, 2, big: false)),
                .booked()),
            HostileMail(
                "UTF-16 of the other order", charset("utf-16be", units(forged, 2, big: false)),
                .doubted("damaged_mail")),
            HostileMail(
                "UTF-16BE called UTF-16LE", charset("utf-16le", units(forged, 2, big: true)),
                .doubted("damaged_mail")),
            HostileMail(
                "UTF-8 of Hindi called windows-1252",
                charset("windows-1252", Array("आपके खाते से पाँच सौ रुपये निकाले गए हैं".utf8)), .doubted("damaged_mail")),
            HostileMail("EBCDIC", charset("x-ebcdic", ebcdic(forged)), .doubted("damaged_mail")),
            HostileMail(
                "French is no damage", charset("utf-8", Array("Été à la mer : réservez dès août".utf8)), .ignored),
            HostileMail(
                "UTF-16, cut in a character", charset("utf-16le", units(alert, 2, big: false) + [0x41]), .booked()),
            HostileMail(
                "a surrogate alone", charset("utf-16le", [0x00, 0xD8] + units("\n" + alert, 2, big: false)), .booked()),
            HostileMail("UTF-32LE", charset("utf-32le", units(alert, 4, big: false)), .booked()),
            HostileMail("UTF-32BE", charset("utf-32be", units(alert, 4, big: true)), .booked()),
            HostileMail("UTF-8 with a mark", charset("utf-8", [0xEF, 0xBB, 0xBF] + Array(alert.utf8)), .booked()),
            HostileMail(
                "UTF-7 with a shift", charset("utf-7", Array(alert.replacing("s.", with: "+AHM-.").utf8)), .booked()),
            HostileMail(
                "UTF-7 that is not declared", charset("utf-8", Array(forged.replacing("R", with: "+AFI-").utf8)),
                .doubted("damaged_mail")),
            HostileMail(
                "UTF-7 of a rupee sign that is not declared",
                charset("utf-8", Array(forged.replacing("Rs.", with: "+ILk-").utf8)), .review),
            HostileMail(
                "a number with + is no UTF-7", charset("utf-8", Array("Call +918002586161- or +Plus-size".utf8)),
                .ignored),
            HostileMail("an unclosed shift", charset("utf-7", Array((alert + "\r\n+AFI").utf8)), .booked()),
            HostileMail(
                "shift sequences of ISO-2022-JP",
                charset("iso-2022-jp", [0x1B, 0x24, 0x42, 0x1B, 0x28, 0x42] + Array(alert.utf8)), .booked()),
            HostileMail(
                "an unclosed sequence", charset("iso-2022-jp", Array(alert.utf8) + [13, 10, 0x1B, 0x24, 0x42, 0x21]),
                .booked()),
            HostileMail("an overlong slash", charset("utf-8", [0xC0, 0xAF, 10] + Array(alert.utf8)), .booked()),
            HostileMail(
                "overlong digits",
                charset("utf-8", Array("Rs.".utf8) + [0xC0, 0xB9] + Array(forged.dropFirst(3).utf8)), .review),
            HostileMail(
                "a surrogate in UTF-8", charset("utf-8", [0xED, 0xA0, 0x80, 10] + Array(alert.utf8)), .booked()),
            HostileMail("a byte that is never UTF-8", charset("utf-8", [0xFF, 10] + Array(alert.utf8)), .booked()),
            HostileMail(
                "a merchant cut in a character",
                charset("utf-8", Array(sentence(merchant: "X").utf8).flatMap { $0 == 88 ? [0xE2, 0x82] : [$0] }),
                .review),
            HostileMail(
                "two charsets", message(header(["Content-Type: text/plain; charset=utf-8; charset=utf-16"]), alert),
                .booked()),
            HostileMail(
                "a charset by RFC 2231",
                message(header(["Content-Type: text/plain; charset*=us-ascii'en'utf-8"]), alert), .booked()),
            HostileMail(
                "a charset in pieces",
                message(header(["Content-Type: text/plain; charset*0=utf; charset*1=-8"]), alert), .booked()),
            HostileMail(
                "a meta element of UTF-7",
                message(header(["Content-Type: text/html"]), "<meta charset=utf-7><p>\(alert)"), .booked()),
            HostileMail(
                "a meta element of UTF-16",
                message(header(["Content-Type: text/html"]), "<meta charset=utf-16><p>\(alert)"), .booked()),
        ]

    /// Damage of a Subject: the text decides.
    static let encodedWords: [HostileMail] = [
        "=?utf-8?q?Card_alert?=", "=?utf-8?b?Q2FyZA==?=", "=?UTF-8?Q?=E2=82=B9?=", "=?utf-8?q?=ZZ?=",
        "=?utf-8?q?unterminated",
        "=?utf-8?b?!!!!?=", "=?utf-8?x?other?=", "=?unknown?q?x?=", "=??q?x?=", "=?utf-8??x?=", "=?utf-8?q??=",
        "=?=?=?=?=",
        "=?utf-16?b?//5D?=", "=?utf-7?q?+AFI-?=", "=?iso-2022-jp?b?GyRC?=", "=?utf-8*en?q?x?=",
        "=?utf-8?q?a?= =?utf-8?q?b?=",
        "=?utf-8?b?4oI=?= =?utf-8?b?uQ==?=", "=?utf-8?q?=00=1B[2J?=", "=?utf-8?q?=0D=0AX:_y?=", "=?utf-8?q?=E2=80=AE?=",
        "=?utf-8?b?" + String(repeating: "QUFB", count: 5000) + "?=", String(repeating: "=?utf-8?q?a?= ", count: 2000),
        "=?us-ascii?q?Card_alert?=", "\u{FF}\u{FE}", "\u{202E}trela draC", String(repeating: "(", count: 5000),
        "=?utf-8?q?a\r\n b?=",
    ].enumerated().map { number, subject in
        HostileMail("subject \(number)", message(header(subject: subject)), .booked())
    }

    /// Characters without a glyph: a reader sees the words without them.
    private static let invisible: [(String, String)] = [
        ("a zero-width space", "\u{200B}"), ("a zero-width joiner", "\u{200D}"),
        ("a zero-width non-joiner", "\u{200C}"),
        ("a word joiner", "\u{2060}"), ("a byte order mark", "\u{FEFF}"), ("a soft hyphen", "\u{AD}"),
        ("a left-to-right mark", "\u{200E}"),
        ("a right-to-left mark", "\u{200F}"), ("an embedding", "\u{202A}"), ("an override", "\u{202D}"),
        ("an isolate", "\u{2066}"),
        ("a variation selector", "\u{FE0F}"), ("a tag", "\u{E0041}"), ("a grapheme joiner", "\u{34F}"),
        ("a Hangul filler", "\u{3164}"),
        ("a Mongolian separator", "\u{180E}"), ("an invisible times", "\u{2062}"), ("an annotation mark", "\u{FFF9}"),
        ("NUL", "\u{0}"),
        ("a bell", "\u{7}"), ("an escape", "\u{1B}"), ("a delete", "\u{7F}"), ("a C1 control", "\u{9B}"),
        ("a backspace", "\u{8}"),
    ]

    /// Digits and signs that look like those of an amount, which a person may read as one.
    private static let lookalikeAmounts: [(String, String)] = [
        ("O for zero", "9999.OO"),
        ("a one-dot leader", "9999․00"),
        ("a middle dot", "9999·00"),
        ("an Arabic decimal sign", "9999٫00"),
        ("a fullwidth stop", "9999．00"),
        ("a combining stroke", "9\u{336}999.00"),
        ("an override", "\u{202E}00.9999"),
        ("an exponent", "9e9.00"),
        ("hexadecimal", "0x99.00"),
        ("endless digits", String(repeating: "9", count: 40) + ".00"),
        ("no digits", ".00"),
        ("a zero", "0.00"),
        ("two points", "99.99.00"),
    ]

    /// The same in forms that no pattern reads: a person does.
    private static let unreadAmounts: [(String, String)] = [
        ("fullwidth digits", "９９９９.00"),
        ("Arabic digits", "٩٩٩٩.00"),
        ("Devanagari digits", "९९९९.00"),
        ("mathematical digits", "𝟗𝟗𝟗𝟗.00"),
        ("circled digits", "⑨⑨⑨⑨.00"),
        ("superscript digits", "⁹⁹⁹⁹.00"),
        ("l for one", "l999.00"),
        ("a negative sign", "-9999.00"),
        ("a minus", "−9999.00"),
        ("a fraction", "½.00"),
    ]

    static let characters: [HostileMail] =
        invisible.map {
            HostileMail(
                "\($0) in the amount",
                message(header(["Content-Type: text/plain; charset=utf-8"]), sentence(amount: "5\($1)00.00")), .booked()
            )
        }
        + invisible.map { HostileMail("\($0) in the merchant", html(sentence(merchant: "COF\($1)FEE")), .booked()) }
        + lookalikeAmounts.map {
            HostileMail(
                "\($0)", message(header(["Content-Type: text/plain; charset=utf-8"]), sentence(amount: $1)), .review)
        }
        + unreadAmounts.map {
            HostileMail(
                "\($0)", message(header(["Content-Type: text/plain; charset=utf-8"]), sentence(amount: $1)),
                .doubted("amount_unreadable"))
        }

    /// What a merchant may print. The values of the payment stay; what is printed stays text.
    static let merchants: [HostileMail] =
        [
            "=1+1", "+1+1", "-1+1", "@SUM(A1)", "=HYPERLINK(\"x\",\"y\")", "=cmd|' /C calc'!A0", "'=1+1", "%0A=1+1",
            "|=1", "\"=1\"", "1;=1",
            "<b>X</b>", "<script>x</script>", "{{x}}", "${x}", "$(x)", "`x`", "'; DROP TABLE x;--", "../../x", "C:\\x",
            "%s%n%x", "\\u0000",
            "A\u{301}", "b\u{430}nk", "КОФЕ", "कॉफ़ी", "咖啡", "☕☕", "Rs.9999.00",
            "card ending 9999", "x on 1 at 2",
            "DECLINED STORE", "NULL", "0", "-", "x" + String(repeating: "y", count: 38),
        ].map { name in
            HostileMail(
                name, message(header(["Content-Type: text/plain; charset=utf-8"]), sentence(merchant: name)),
                .booked(merchant: name))
        }
        + [
            ("blanks before a formula", "\t \u{A0}=1+1", "=1+1"), ("a line feed before a formula", "\r\n =1+1", "=1+1"),
            ("an invisible character before a formula", "\u{200B}=1+1", "=1+1"),
            ("a carriage return before a formula", "\r=1+1", "=1+1"),
            ("a colour for a terminal", "\u{1B}[31mX", "[31mX"), ("a title for a terminal", "\u{1B}]0;X\u{7}", "]0;X"),
            ("a sequence of one byte", "\u{9B}31mX", "31mX"),
            ("a link for a terminal", "\u{1B}]8;;http://x\u{1B}\\X", "]8;;http://x\\X"),
            ("a device query", "X\u{1B}[6n", "X[6n"),
            ("an override", "\u{202E}EEFFOC", "EEFFOC"), ("a whole embedding", "\u{202B}X\u{202C}", "X"),
            ("a backspace", "XY\u{8}", "XY"),
        ].map { name, printed, merchant in
            HostileMail(
                name, message(header(["Content-Type: text/plain; charset=utf-8"]), sentence(merchant: printed)),
                .booked(merchant: merchant))
        }
}
