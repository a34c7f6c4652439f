import CGMime
import Chronology
import ChronologyFixture
import Randomness
import Testing

@testable import InternetMessage

/// Our readers against GMime's on generated and damaged input. `Sources/InternetMessage/README.md` lists the deliberate
/// differences; each has its own test here.
@Suite struct GMimeComparisonTests {
    private static let rounds = 3000

    // MARK: Transfer encodings

    @Test func base64() {
        var random = SplitMix64(state: 11)
        for _ in 0..<Self.rounds {
            let encoded = Self.anyBase64(&random)
            let decoded = TolerantBase64.decode(encoded.span, 0..<encoded.count)
            #expect(decoded == decode(encoded, GMIME_CONTENT_ENCODING_BASE64))
        }
    }

    /// Characters outside the alphabet are skipped by both.
    @Test func base64WithForeignCharacters() {
        var random = SplitMix64(state: 12)
        for _ in 0..<Self.rounds {
            var encoded = Self.anyBase64(&random).filter { $0 != ASCII.equals && !$0.isSpace }
            encoded.removeLast(encoded.count % 4)
            for _ in 0..<(random.next() % 5) {
                let junk = Array("!*-_.\0\u{7F} \t".utf8)
                encoded.insert(
                    junk[Int(random.next() % UInt64(junk.count))], at: Int(random.next() % UInt64(encoded.count + 1)))
            }
            let decoded = TolerantBase64.decode(encoded.span, 0..<encoded.count)
            #expect(decoded == decode(encoded, GMIME_CONTENT_ENCODING_BASE64))
        }
    }

    /// Deliberate: GMime loses what follows padding, and the last bytes if padding is missing.
    @Test func base64PaddingDiffers() {
        for (encoded, expected) in [("SU4=UiA1", "INR 5"), ("SU5SIDU", "INR 5")] {
            let bytes = Array(encoded.utf8)
            let decoded = TolerantBase64.decode(bytes.span, 0..<bytes.count)
            #expect(decoded == Array(expected.utf8))
            #expect(decode(bytes, GMIME_CONTENT_ENCODING_BASE64) != Array(expected.utf8))
        }
    }

    @Test func quotedPrintable() {
        var random = SplitMix64(state: 13)
        for _ in 0..<Self.rounds {
            let encoded = Self.anyQuotedPrintable(&random)
            let decoded = QuotedPrintable.decode(encoded.span, 0..<encoded.count)
            #expect(decoded == decode(encoded, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE))
        }
    }

    @Test func damagedQuotedPrintable() {
        var random = SplitMix64(state: 14)
        for _ in 0..<Self.rounds {
            var encoded = Self.anyQuotedPrintable(&random)
            guard !encoded.isEmpty else { continue }
            encoded[Int(random.next() % UInt64(encoded.count))] = UInt8(truncatingIfNeeded: random.next())
            guard !Self.hasDeliberateDifference(quotedPrintable: encoded) else { continue }
            let decoded = QuotedPrintable.decode(encoded.span, 0..<encoded.count)
            #expect(decoded == decode(encoded, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE), "\(encoded)")
        }
    }

    /// Deliberate: see the README.
    @Test(arguments: [("a= \nb", "ab"), ("a=\t\r\nb", "ab"), ("a=", "a"), ("a=4", "a=4"), ("a==41", "a=A")])
    func quotedPrintableSoftBreakDiffers(_ encoded: String, _ expected: String) {
        let bytes = Array(encoded.utf8)
        let decoded = QuotedPrintable.decode(bytes.span, 0..<bytes.count)
        #expect(decoded == Array(expected.utf8))
        let theirs = decode(bytes, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE)
        #expect((theirs == decoded) == (encoded == "a="))
    }

    // MARK: Header

    @Test(arguments: ["\n", "\r\n"])
    func headerSection(lineEnd: String) {
        var random = SplitMix64(state: 15)
        for _ in 0..<Self.rounds / 3 {
            let mail = Array((Self.anyHeader(&random, lineEnd) + lineEnd + "body").utf8)
            #expect(fields(mail) == gmimeFields(mail), "\(String(decoding: mail, as: UTF8.self))")
        }
    }

    @Test func damagedHeaderSection() {
        var random = SplitMix64(state: 16)
        for _ in 0..<Self.rounds / 3 {
            var mail = Array((Self.anyHeader(&random, "\n") + "\nbody").utf8)
            mail[Int(random.next() % UInt64(mail.count))] = UInt8(truncatingIfNeeded: random.next() % 128)
            guard !Self.hasDeliberateDifference(header: mail) else { continue }
            #expect(fields(mail) == gmimeFields(mail), "\(String(decoding: mail, as: UTF8.self))")
        }
    }

    // MARK: From

    @Test func mailboxList() {
        var random = SplitMix64(state: 17)
        for _ in 0..<Self.rounds {
            let value = Self.anyMailboxes(&random)
            let list = MailboxList(parsing: Array(value.utf8))
            // Ours lists a repeated address once.
            let theirs = gmimeAddresses(value).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
            #expect(list.mailboxes.map(\.addrSpec) == theirs, "\(value)")
            #expect(!list.isMalformed, "\(value)")
        }
    }

    /// Only a value with one mailbox can be from a bank. GMime must find the same one there, or a truncation of it: it
    /// ends a domain at an invalid character, and ours keeps that character, so that the address matches no bank.
    @Test func damagedMailboxList() {
        var random = SplitMix64(state: 18)
        var compared = 0
        for _ in 0..<Self.rounds {
            var bytes = Array(Self.anyMailboxes(&random).utf8)
            bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(32 + random.next() % 95)
            let value = String(decoding: bytes, as: UTF8.self)
            let list = MailboxList(parsing: bytes)
            guard !list.isMalformed, list.mailboxes.count == 1, let ours = list.mailboxes.first?.addrSpec else {
                continue
            }
            let theirs = Set(gmimeAddresses(value))
            compared += 1
            #expect(theirs.allSatisfy(ours.hasPrefix), "\(value): \(ours) \(theirs)")
        }
        #expect(compared > 300)
    }

    @Test func ambiguousMailboxDiffers() {
        let value = "a@b.example <c@d.example>"
        #expect(MailboxList(parsing: Array(value.utf8)).mailboxes.map(\.addrSpec) == ["a@b.example", "c@d.example"])
        #expect(gmimeAddresses(value).count == 1)
    }

    // MARK: Content-Type

    @Test func contentType() {
        var random = SplitMix64(state: 19)
        for round in 0..<Self.rounds {
            var bytes = Array(Self.anyContentType(&random).utf8)
            if round % 2 == 1 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(32 + random.next() % 95) }
            let value = String(decoding: bytes, as: UTF8.self)
            guard let type = MediaType.read(bytes) else {
                #expect(!Self.isMediaType(value), "\(value)")
                continue
            }
            guard let theirs = g_mime_content_type_parse(nil, value) else {
                Issue.record("\(value)")
                continue
            }
            defer { g_object_unref(theirs) }
            #expect(type.isMultipart == (g_mime_content_type_is_type(theirs, "multipart", "*") != 0), "\(value)")
            guard !type.isMultipart else { continue }
            let isHTML =
                g_mime_content_type_is_type(theirs, "text", "html") != 0
                || g_mime_content_type_is_type(theirs, "application", "xhtml+xml") != 0
            #expect((type.text == .html) == isHTML, "\(value)")
            #expect(type.charset == string(g_mime_content_type_get_parameter(theirs, "charset")), "\(value)")
        }
    }
}

// MARK: Generated input

extension GMimeComparisonTests {
    private static func bytes(_ random: inout SplitMix64) -> [UInt8] {
        (0..<(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private static func anyBase64(_ random: inout SplitMix64) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let plain = bytes(&random)
        let width = Int(1 + random.next() % 80)
        var digits: [UInt8] = []
        for start in stride(from: 0, to: plain.count, by: 3) {
            let group = plain[start..<min(start + 3, plain.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                digits.append(place > group.count ? ASCII.equals : alphabet[value >> (18 - 6 * place) & 63])
            }
        }
        var lines: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if index > 0, index % width == 0 { lines += random.next() & 1 == 0 ? [13, 10] : [10] }
            lines.append(digit)
        }
        return lines
    }

    private static func anyQuotedPrintable(_ random: inout SplitMix64) -> [UInt8] {
        let digits = Array("0123456789ABCDEFabcdef".utf8)
        var encoded: [UInt8] = []
        for _ in 0..<(random.next() % 60) {
            switch random.next() % 6 {
            case 0: encoded += [61, digits[Int(random.next() % 16)], digits[Int(random.next() % 22)]]
            case 1: encoded += [61, 13, 10]
            case 2: encoded += [61, 10]
            case 3: encoded += [13, 10]
            default: encoded += Array("Rs. 5".utf8)
            }
        }
        return encoded
    }

    private static func anyHeader(_ random: inout SplitMix64, _ lineEnd: String) -> String {
        let names = ["From", "SUBJECT", "date", "Message-Id", "Received", "Authentication-Results", "X-Other", "To"]
        let words = ["one", "two;", "a@b.example", "(c)", "\"d\"", "<e>", "f:g", "=?utf-8?q?h?="]
        var text = ""
        for _ in 0..<(1 + random.next() % 8) {
            text += names[Int(random.next() % UInt64(names.count))] + ":"
            for _ in 0..<(random.next() % 6) {
                text += random.next() % 4 == 0 ? lineEnd + "\t" : " "
                text += words[Int(random.next() % UInt64(words.count))]
            }
            text += lineEnd
        }
        return text
    }

    private static func anyMailboxes(_ random: inout SplitMix64) -> String {
        let forms = [
            "a@bank.example", "Bank <b@bank.example>", "\"Bank, Some\" <c@bank.example>", "(x) d@bank.example (y (z))",
            "=?utf-8?q?Bank_=E2=82=B9?= <e@bank.example>", "Group: f@bank.example, G <g@bank.example>;",
            "<h@bank.example>", "\"x@y.example\" <i@bank.example>", "Some Bank Ltd <j.k@mail.bank.example>",
        ]
        return (0..<(1 + random.next() % 3)).map { _ in forms[Int(random.next() % UInt64(forms.count))] }
            .joined(separator: ", ")
    }

    private static func anyContentType(_ random: inout SplitMix64) -> String {
        let types = [
            "text/plain", "TEXT/HTML", "text/calendar", "multipart/mixed", "application/xhtml+xml", "image/png",
        ]
        let parameters = [
            "; charset=utf-8", "; charset=\"ISO-8859-1\"", ";charset*=''koi8-r", "; charset*0=utf; charset*1=-8",
            "; format=flowed", "; name=\"a;b\"", " (c)",
        ]
        let count = random.next() % 3
        return types[Int(random.next() % UInt64(types.count))]
            + (0..<count).map { _ in parameters[Int(random.next() % UInt64(parameters.count))] }.joined()
    }
}

// MARK: Deliberate differences

extension GMimeComparisonTests {
    /// An `=` that begins neither an escape nor a soft line break of `=` LF or `=` CR LF.
    private static func hasDeliberateDifference(quotedPrintable bytes: [UInt8]) -> Bool {
        bytes.indices.contains { index in
            guard bytes[index] == ASCII.equals else { return false }
            let next = bytes[(index + 1)...].prefix(2)
            return next.first != ASCII.lf && Array(next) != [13, 10]
                && (next.count < 2 || !next.allSatisfy { $0.hexValue != nil })
        }
    }

    /// `type/subtype` at the start of a Content-Type value, with a type of letters, digits, hyphens and dots.
    private static func isMediaType(_ value: String) -> Bool {
        let slash = value.firstIndex(of: "/") ?? value.startIndex
        let type = value[..<slash]
        return !type.isEmpty && value.index(after: slash) < value.endIndex
            && type.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == ASCII.hyphen || $0 == ASCII.dot }
    }

    /// A line that is not a field, control characters, or an mbox separator.
    private static func hasDeliberateDifference(header bytes: [UInt8]) -> Bool {
        let end = bytes.indices.first { bytes[$0...].starts(with: [10, 10]) } ?? bytes.count
        let header = bytes[..<end]
        return header.contains {
            $0 == 0 || $0 == ASCII.cr || $0 == 0x7F || $0 < ASCII.space && $0 != ASCII.lf && $0 != ASCII.tab
        }
            || header.split(separator: ASCII.lf, omittingEmptySubsequences: false).contains { line in
                guard let first = line.first else { return true }
                if first.isWSP { return line.allSatisfy(\.isSpace) }
                let name = line.prefix { $0 != ASCII.colon }
                return name.count == line.count || name.isEmpty || name.contains(where: \.isSpace)
            }
    }
}

// MARK: The two readers

extension GMimeComparisonTests {
    private func decode(_ bytes: [UInt8], _ encoding: GMimeContentEncoding) -> [UInt8] {
        GMime.start()
        guard !bytes.isEmpty, let filter = g_mime_filter_basic_new(encoding, 0) else { return [] }
        defer { g_object_unref(filter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        var output: UnsafeMutablePointer<CChar>?
        var count = 0
        var reserved = 0
        g_mime_filter_complete(filter, &input, input.count, 0, &output, &count, &reserved)
        guard let output else { return [] }
        return (0..<count).map { UInt8(bitPattern: output[$0]) }
    }

    private static let compared: [(HeaderSection.Name, String)] = [
        (.from, "from"), (.subject, "subject"), (.date, "date"), (.messageID, "message-id"), (.received, "received"),
        (.authenticationResults, "authentication-results"),
    ]

    private func fields(_ mail: [UInt8]) -> [[String]] {
        var defects = DefectList()
        let section = HeaderSection(scanning: mail.span, limit: 1 << 20, recording: &defects)
        return section.fields.compactMap { field in
            Self.compared.first { $0.0 == field.name }.map {
                [$0.1, String(decoding: unfolded(mail.span, field.value), as: UTF8.self)]
            }
        }
    }

    private func gmimeFields(_ mail: [UInt8]) -> [[String]] {
        GMime.start()
        guard
            let stream = mail.withUnsafeBytes({
                g_mime_stream_mem_new_with_buffer($0.bindMemory(to: CChar.self).baseAddress, $0.count)
            })
        else { return [] }
        defer { g_object_unref(stream) }
        guard let parser = g_mime_parser_new_with_stream(stream) else { return [] }
        defer { g_object_unref(parser) }
        guard let message = g_mime_parser_construct_message(parser, nil) else { return [] }
        defer { g_object_unref(message) }
        return UnsafeMutableRawPointer(message).withMemoryRebound(to: GMimeObject.self, capacity: 1) { object in
            let list = g_mime_object_get_header_list(object)
            return (0..<g_mime_header_list_get_count(list)).compactMap { index in
                let header = g_mime_header_list_get_header_at(list, index)
                guard let name = string(g_mime_header_get_name(header))?.lowercased(),
                    Self.compared.contains(where: { $0.1 == name })
                else { return nil }
                let raw = Array((string(g_mime_header_get_raw_value(header)) ?? "").utf8)
                return [name, String(decoding: unfolded(raw.span, 0..<raw.count), as: UTF8.self)]
            }
        }
    }

    private func gmimeAddresses(_ value: String) -> [String] {
        GMime.start()
        guard let list = internet_address_list_parse(nil, value) else { return [] }
        defer { g_object_unref(list) }
        return addresses(list)
    }

    private func addresses(_ list: UnsafeMutablePointer<InternetAddressList>) -> [String] {
        (0..<internet_address_list_length(list)).flatMap { index -> [String] in
            guard let address = internet_address_list_get_address(list, index) else { return [] }
            if cgmime_is_group(address) != 0 {
                return UnsafeMutableRawPointer(address).withMemoryRebound(to: InternetAddressGroup.self, capacity: 1) {
                    internet_address_group_get_members($0).map(addresses) ?? []
                }
            }
            return UnsafeMutableRawPointer(address).withMemoryRebound(to: InternetAddressMailbox.self, capacity: 1) {
                string(internet_address_mailbox_get_addr($0)).map { [$0.lowercased()] } ?? []
            }
        }
    }
}
