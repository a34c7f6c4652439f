import Glibc

/// Indian standard time, which banks print.
enum India {
    /// Formats seconds since 1970 with strftime(3).
    static func text(_ format: String, _ seconds: Int) -> String {
        var time = time_t(seconds + 19_800)
        var parts = tm()
        gmtime_r(&time, &parts)
        var buffer = [CChar](repeating: 0, count: 128)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the seconds since 1970 of a time of day in India, `days` ago.
    static func daysAgo(_ days: Int, _ hour: Int, _ minute: Int, _ second: Int = 0) -> Int {
        let now = time(nil) + 19_800
        return now - now % 86_400 - days * 86_400 + hour * 3600 + minute * 60 + second - 19_800
    }
}

/// The transaction of one message, as in the columns of the ledger.
struct Booked: Hashable {
    var type = "expense"
    var channel: String
    var amountMinor: Int
    var currency = "INR"
    var date: String
    var time: String?
    var merchant: String?
    var account: String?
    var reference: String?
    var category: String
    var subcategory: String?
    var status = "confirmed"
}

/// A message as Gmail serves it, with the expected result.
struct Mail {
    enum Encoding { case plain, quotedPrintableHTML, base64HTML }
    enum Origin {
        /// From the bank: the provider reports dmarc=pass.
        case genuine
        /// A third party uses the bank's address in From.
        case forged
        /// The same, with a forged results field further down.
        case forgedWithResults
    }

    var id: String
    var from: String
    var subject = "Alert"
    var text: String
    var encoding = Encoding.plain
    var origin = Origin.genuine
    /// Seconds since 1970: INTERNALDATE, shortly after Date.
    var arrived: Int
    var outcome: String
    var booked: Booked?
    /// Additional header fields, with line ends.
    var moreHeaders = ""
    /// The raw message that replaces the generated one.
    var bodyBytes: [UInt8]?

    var domain: String { from.split(separator: "@").last.map { String($0.prefix { $0 != ">" }) } ?? "" }

    var bytes: [UInt8] { Array((header + "\r\n").utf8) + (bodyBytes ?? Array(body.utf8)) }

    private func results(_ pass: Bool) -> String {
        pass
            ? """
            Authentication-Results: mx.google.com;\r
                   dkim=pass header.i=@\(domain) header.s=s1 header.b=Zq3vXa9L;\r
                   spf=pass (google.com: domain of bounce@\(domain) designates 192.0.2.17 as permitted sender) smtp.mailfrom=bounce@\(domain);\r
                   dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=\(domain)\r

            """
            : """
            Authentication-Results: mx.google.com;\r
                   spf=softfail (google.com: domain of transitioning bounce@\(domain) does not designate 203.0.113.9 as permitted sender) smtp.mailfrom=bounce@\(domain);\r
                   dmarc=fail (p=REJECT sp=REJECT dis=QUARANTINE) header.from=\(domain)\r

            """
    }

    var header: String {
        let stamp = India.text("%a, %d %b %Y %H:%M:%S +0530", arrived)
        var text = """
            Delivered-To: asha@example.com\r
            Received: by 2002:a05:6402:4d11:b0:9aa:77b1:40c2 with SMTP id q5csp8844120edb;\r
                    \(stamp)\r
            ARC-Authentication-Results: i=1; mx.google.com;\r
                   dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=\(domain)\r
            Return-Path: <bounce@\(domain)>\r
            Received: from o7.smtp-out.example.net (o7.smtp-out.example.net. [192.0.2.17])\r
                    by mx.google.com with ESMTPS id 5445d21b-6c9948c738d9si77640775pg.266\r
                    for <asha@example.com>\r
                    (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);\r
                    \(stamp)\r
            Received-SPF: pass (google.com: domain of bounce@\(domain)) client-ip=192.0.2.17;\r

            """
        text += results(origin == .genuine)
        if origin == .forgedWithResults {
            text +=
                "Received: from inside.example.net (inside.example.net. [192.0.2.18])\r\n        by relay.example.net with ESMTPS id 1; \(stamp)\r\n"
                + results(true)
        }
        return text + """
            From: \(from)\r
            To: asha@example.com\r
            Subject: \(subject)\r
            Date: \(India.text("%a, %d %b %Y %H:%M:%S +0530", arrived - 3))\r
            Message-ID: <\(id)@alerts.example.net>\r
            MIME-Version: 1.0\r
            \(moreHeaders)\(contentType)
            """
    }

    private var contentType: String {
        switch encoding {
        case .plain:
            moreHeaders.contains("Content-Type:")
                ? "" : "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
        case .quotedPrintableHTML, .base64HTML: "Content-Type: multipart/alternative; boundary=\"----=_Part_77\"\r\n"
        }
    }

    private var body: String {
        switch encoding {
        case .plain: text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n") + "\r\n"
        case .quotedPrintableHTML: part("quoted-printable", Mail.quotedPrintable(html))
        case .base64HTML: part("base64", Mail.base64(Array(html.utf8)))
        }
    }

    private var html: String {
        "<html><head><title>Bank</title><style>td { color: #333 }</style></head><body><table width=\"600\"><tr><td style=\"font-family:Arial\">"
            + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "<br>\r\n")
            + "</td></tr>\r\n<tr><td>Never share your OTP, PIN or CVV with anyone.</td></tr></table></body></html>\r\n"
    }

    private func part(_ encoding: String, _ text: String) -> String {
        "------=_Part_77\r\nContent-Type: text/html; charset=UTF-8\r\nContent-Transfer-Encoding: \(encoding)\r\n\r\n\(text)\r\n------=_Part_77--\r\n"
    }

    static func quotedPrintable(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF")
        var result = ""
        var column = 0
        for byte in text.utf8 where byte != 0x0D {
            if byte == 0x0A {
                result += "\r\n"
                column = 0
                continue
            }
            let piece =
                byte == UInt8(ascii: "=") || byte > 0x7E || byte < 0x20
                ? "=\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])" : String(UnicodeScalar(byte))
            if column + piece.count > 72 {
                result += "=\r\n"
                column = 0
            }
            result += piece
            column += piece.count
        }
        return result
    }

    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        var column = 0
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                result.append(index > group.count ? UInt8(ascii: "=") : alphabet[(word >> (18 - 6 * index)) & 63])
            }
            column += 4
            if column == 76 {
                result += [0x0D, 0x0A]
                column = 0
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
