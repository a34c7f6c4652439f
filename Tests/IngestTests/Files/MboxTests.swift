import Chronology
import ChronologyFixture
import Glibc
import Testing

@testable import Ingest

/// mbox files, well-formed and malformed.
@Suite struct MboxTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let mails: [String]
    }

    static let google = "From 1545668983435175434@xxx Fri Sep 16 22:26:51 +0000 2016"
    static let thunderbird = "From - Fri Sep 16 22:26:51 2016"

    static let cases: [Case] = [
        Case(
            testDescription: "two mails", text: "\(google)\nA: 1\n\nx\n\n\(google)\nA: 2\n\ny\n",
            mails: ["A: 1\n\nx\n", "A: 2\n\ny\n"]),
        Case(
            testDescription: "CR LF", text: "\(google)\r\nA: 1\r\n\r\nx\r\n\r\n\(google)\r\nA: 2\r\n\r\ny\r\n",
            mails: ["A: 1\r\n\r\nx\r\n\r\n", "A: 2\r\n\r\ny\r\n"]),
        Case(
            testDescription: "no empty line before a separator with a date",
            text: "\(thunderbird)\nA: 1\n\nx\n\(thunderbird)\nA: 2\n\ny\n", mails: ["A: 1\n\nx\n", "A: 2\n\ny\n"]),
        Case(
            testDescription: "a bare separator", text: "From \nA: 1\n\nx\n\nFrom \nA: 2\n\ny\n",
            mails: ["A: 1\n\nx\n", "A: 2\n\ny\n"]),
        Case(
            testDescription: "text that begins with From",
            text: "\(google)\nA: 1\n\nx\n\nFrom here on it rains\nfor days\n",
            mails: ["A: 1\n\nx\n\nFrom here on it rains\nfor days\n"]),
        Case(
            testDescription: "text that begins with From, before a line with a colon",
            text: "\(google)\nA: 1\n\nx\nFrom here on\nnote: it rains\n",
            mails: ["A: 1\n\nx\nFrom here on\nnote: it rains\n"]),
        Case(
            testDescription: "quoted separators (mboxrd)",
            text: "\(google)\nA: 1\n\n>From \(google.dropFirst(5))\nA: 9\n>>From x\n> From y\nz>From w\n",
            mails: ["A: 1\n\n\(google)\nA: 9\n>From x\n> From y\nz>From w\n"]),
        Case(
            testDescription: "a quoted separator in the header",
            text: "\(google)\n>From me Fri Sep 16 22:26:51 2016\nA: 1\n\nx\n",
            mails: ["From me Fri Sep 16 22:26:51 2016\nA: 1\n\nx\n"]),
        Case(
            testDescription: "an empty mail between two", text: "\(google)\n\(google)\nA: 2\n\ny\n",
            mails: ["", "A: 2\n\ny\n"]),
        Case(
            testDescription: "no line end at the end", text: "\(google)\nA: 1\n\nx\n\n\(google)\nA: 2\n\ny",
            mails: ["A: 1\n\nx\n", "A: 2\n\ny"]),
        Case(
            testDescription: "a separator at the end", text: "\(google)\nA: 1\n\nx\n\n\(google)\n",
            mails: ["A: 1\n\nx\n", ""]),
        Case(
            testDescription: "half a separator at the end", text: "\(google)\nA: 1\n\nx\n\nFro",
            mails: ["A: 1\n\nx\n\nFro"]),
        Case(
            testDescription: "a mail and no mbox", text: "A: 1\n\nx\n\n\(google)\nA: 2\n\ny\n",
            mails: ["A: 1\n\nx\n\n\(google)\nA: 2\n\ny\n"]),
        Case(testDescription: "nothing", text: "", mails: []),
    ]

    /// - Parameter keep: bytes kept of a message.
    static func read(
        _ bytes: [UInt8], keep: Int = MailReader.maximumMailBytes, from offset: Int64 = 0
    ) throws -> [(text: String, size: UInt64, end: Int64)] {
        let file = try TemporaryFile(bytes)
        var mails: [(String, UInt64, Int64)] = []
        try MailReader(maximumMailBytes: keep).read(file.path, from: offset) { mail in
            let text = mail.number > 0 ? MboxSeparator.unquoted(mail.bytes) ?? Array(mail.bytes) : Array(mail.bytes)
            mails.append((String(decoding: text, as: UTF8.self), mail.size, mail.end))
            return true
        }
        return mails
    }

    @Test(arguments: cases) func messagesAreSeparated(_ item: Case) throws {
        let mails = try Self.read(Array(item.text.utf8))
        #expect(mails.map(\.text) == item.mails)
        #expect(mails.last?.end ?? 0 == Int64(item.text.utf8.count))
        #expect(mails.allSatisfy { $0.size >= UInt64($0.text.utf8.count) })
    }

    /// Reading may resume at the end of every message.
    @Test(arguments: cases) func itResumesWhereItEnded(_ item: Case) throws {
        let bytes = Array(item.text.utf8)
        let mails = try Self.read(bytes)
        for (index, mail) in mails.enumerated() where mail.end < Int64(bytes.count) {
            #expect(try Self.read(bytes, from: mail.end).map(\.text) == mails[(index + 1)...].map(\.text))
        }
    }

    /// Messages of all lengths around that of a block, and lines that look like separators at the borders of blocks.
    @Test func bordersOfBlocksDoNotMatter() throws {
        var text: [UInt8] = []
        var expected: [Int] = []
        for (index, length) in [3, 1_048_400, 70_000, 1_048_576, 1_048_577, 2_097_100, 12, 3_145_728].enumerated() {
            let head = Array("Subject: \(index)\n\n".utf8)
            var body: [UInt8] = []
            while body.count < length {
                body += Array(
                    (body.count % 5 == 0 ? "\nFrom here\n" : "From - not at the beginning of a line: \(body.count)\n>")
                        .utf8)
            }
            body = body.prefix(length) + [0x0A]
            text += Array("\(Self.google)\n".utf8) + head + body + [0x0A]
            expected.append(head.count + body.count)
        }
        for shift in [0, 1, 5, 6, 7, 100] {
            let shifted = Array("From x\nA: \(String(repeating: "y", count: shift))\n\nz\n\n".utf8) + text
            let mails = try Self.read(shifted)
            #expect(mails.dropFirst().map { Int($0.size) } == expected)
        }
    }

    @Test func oversizeMessageIsTruncatedAndLaterOnesAreWhole() throws {
        var text = Array("\(Self.google)\nA: 1\n\n".utf8)
        let long = Array((String(repeating: "x", count: 79) + "\n").utf8)
        while text.count < 9 << 20 { text += long }
        let length = text.count - Self.google.utf8.count - 1
        text += Array("\n\(Self.google)\nA: 2\n\ny\n".utf8)
        let mails = try Self.read(text, keep: 1 << 20)
        #expect(mails.map(\.size) == [UInt64(length), 8])
        #expect(mails.map(\.text.utf8.count) == [1 << 20, 8])
        #expect(mails.last?.end == Int64(text.count))
        let alone = try Self.read(Array("A: 1\n\n".utf8) + Array(repeating: 0x78, count: 5 << 20), keep: 1 << 20)
        #expect(alone.map(\.size) == [5 << 20 + 6].map(UInt64.init) || alone.map(\.size) == [UInt64(5 << 20) + 6])
        #expect(alone.map(\.text.utf8.count) == [1 << 20])
    }

    /// An attachment above the limit, before the text: as a file of its own, in an mbox file, and last in it.
    @Test(arguments: [0, 1, 2]) func longMessageIsReadWithoutItsAttachments(place: Int) throws {
        let line = String(repeating: "JVBE", count: 19) + "\n"
        let mail =
            "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/pdf\n\n"
            + String(repeating: line, count: (5 << 20) / line.utf8.count)
            + "--b\nContent-Type: text/plain\n\nRs.500.00 debited\n--b--\n"
        let other = "\(Self.google)\nA: 2\n\ny\n"
        let file = try TemporaryFile(
            Array([mail, "\(Self.google)\n\(mail)\n\(other)", "\(other)\n\(Self.google)\n\(mail)"][place].utf8))
        var found: [(text: String, isCut: Bool, size: UInt64)] = []
        try MailReader(maximumMailBytes: 1 << 20).read(file.path) {
            found.append((String(decoding: $0.bytes, as: UTF8.self), $0.isCut, $0.size))
            return true
        }
        #expect(found.count == (place == 0 ? 1 : 2) && !found.contains(where: \.isCut))
        let long = try #require(found.first { $0.size > 100 })
        #expect(long.size == UInt64(mail.utf8.count))
        #expect(long.text == mail.replacing(line, with: ""))
    }

    @Test func unwantedBodyIsNotRead() throws {
        let file = try TemporaryFile(Array("A: 1\n\n".utf8) + Array(repeating: 0x78, count: 5 << 20))
        var sizes: [UInt64] = []
        try MailReader().read(file.path, isWanted: { _ in false }) {
            sizes.append($0.size)
            #expect(!$0.isWanted && !$0.isCut)
            return true
        }
        #expect(sizes.count == 1 && sizes[0] <= UInt64(2 * MailReader.chunk))
    }

    @Test func noiseIsReadToItsEnd() throws {
        var state: UInt64 = 0x5EED
        let bytes =
            Array(Self.google.utf8)
            + (0..<3_000_000).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let word = UInt8(truncatingIfNeeded: state >> 33)
                return word < 60 ? 0x0A : word < 90 ? 0x46 : word
            }
        let mails = try Self.read(bytes, keep: 4096)
        #expect(mails.last?.end == Int64(bytes.count) || mails.isEmpty)
    }
}

/// A file that is removed with its owner.
final class TemporaryFile {
    let path: String

    init(_ bytes: [UInt8]) throws {
        var template = Array("/tmp/spendwise-ingest-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            try #require(count > 0)
            done += count
        }
        close(descriptor)
    }

    deinit { unlink(path) }
}

/// Written files have the messages that were written.
@Suite struct MboxWriterTests {
    @Test(arguments: ["\n", "\r\n"]) func messagesReturnUnchanged(lineEnd: String) throws {
        let messages = [
            "A: 1\n\nx\n", "A: 2\n\nFrom here\n>From there\n>>From z\nFrom\n", "A: 3\n\n\n\nno text\n\n",
            "A: 4\n\nFrom - Fri Sep 16 22:26:51 2016\nB: 5\n\nnot a mail\n",
        ].map { Array($0.replacing("\n", with: lineEnd).utf8) }
        let file = messages.flatMap { MboxWriter.entry($0, date: 1_474_064_811) }
        #expect(String(decoding: file.prefix(32), as: UTF8.self) == "From - Fri Sep 16 22:26:51 2016\n")
        #expect(try MboxTests.read(file).map { Array($0.text.utf8) } == messages)
    }

    @Test func anUnfinishedLastLineIsCompleted() {
        #expect(
            String(decoding: MboxWriter.entry(Array("A: 1\n\nx".utf8), date: nil), as: UTF8.self)
                == "From - Thu Jan  1 00:00:00 1970\nA: 1\n\nx\n\n")
    }
}
