import Foundation
import Ledger
import Store
import Testing

@testable import Ingest

/// A packed file in memory.
fileprivate final class FakePackedFile: PackedMembers {
    private var files: ArraySlice<(name: String, bytes: [UInt8])>
    private var rest: ArraySlice<UInt8> = []
    private(set) var position: Int64 = 0

    init(_ files: [(name: String, bytes: [UInt8])]) { self.files = files[...] }

    func nextMember() throws -> String? {
        guard let file = files.popFirst() else { return nil }
        rest = file.bytes[...]
        return file.name
    }

    func readMember(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        // Few bytes at a time, as a decompressor gives them.
        let part = rest.prefix(min(buffer.count, 100))
        rest = rest.dropFirst(part.count)
        buffer.copyBytes(from: part)
        position += Int64(part.count)
        return part.count
    }
}

/// Archives that are packed, and files that are not mail.
@Suite struct ArchiveKindsTests {
    private static func run(
        _ files: [String: [UInt8]], root: String = "", unpack: Unpack? = nil
    ) throws -> (book: Book, summary: ImportSummary, recorded: [String]) {
        let folder = NSTemporaryDirectory() + "kinds-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: folder + "/" + name)) }
        let book = try Book()
        var recorded: [String] = []
        var work = ArchiveImport(store: book.store, intake: try Sample.intake(), mailbox: "import:x", unpack: unpack)
        work.onRecord = { name, _, mail in recorded.append("\(name.dropFirst(folder.count)) \(mail.outcome)") }
        try work.run(folder + root, isStopped: { false }, progress: { _ in })
        return (book, work.summary, recorded)
    }

    private static func mbox(_ mails: [[UInt8]]) -> [UInt8] {
        mails.flatMap { Array("From x Mon Jan  5 10:00:00 2026\n".utf8) + $0 + Array("\n".utf8) }
    }

    @Test func filesInAPackedFileAreRead() throws {
        let files = [
            ("a.eml", Sample.alert(1)),
            ("b.mbox", Self.mbox([Sample.alert(2), Sample.newsletter(3), Sample.alert(4)])),
            ("c.txt", Array("shopping list\n".utf8)), ("d.eml", []),
        ]
        let result = try Self.run(["all.zip": Array("packed".utf8)], root: "/all.zip") { _, _ in FakePackedFile(files) }
        #expect(
            result.recorded == [
                "/all.zip:a.eml recorded", "/all.zip:b.mbox:1 recorded", "/all.zip:b.mbox:3 recorded",
            ])
        #expect(try result.book.transactions() == 3)
        #expect(result.summary.mails == 4 && result.summary.otherCount == 1 && result.summary.faults.isEmpty)
        #expect(result.summary.others.map(\.path).first?.hasSuffix("all.zip:c.txt") == true)
    }

    @Test(
        arguments: [
            ("notes.txt", Array("shopping list\nNote: milk\n".utf8), "is not mail"),
            ("data.json", Array("{\"from\": 1}\n".utf8), "is not mail"),
            ("mail.msg", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "is an Outlook file (.msg)"),
            ("image.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "is not mail"),
        ] as [(String, [UInt8], String)])
    func otherFilesAreRefused(name: String, bytes: [UInt8], message: String) throws {
        let alone = try Self.run([name: bytes], root: "/" + name)
        #expect(alone.summary.mails == 0)
        #expect(alone.summary.faults.map(\.message).first?.hasPrefix(message) == true, "\(alone.summary.faults)")
        // Beside a mail they are counted.
        let beside = try Self.run([name: bytes, "1.eml": Sample.alert(1)])
        #expect(beside.summary.mails == 1 && beside.summary.otherCount == 1 && beside.summary.faults.isEmpty)
        // A folder of nothing else is refused.
        let folder = try Self.run([name: bytes])
        #expect(folder.summary.faults.map(\.message) == ["holds no mail: 1 files in it are something else"])
    }

    @Test(arguments: [
        "From: a@b.example\n\nx\n", "\u{FEFF}From: a@b.example\n\nx\n", "X-Odd: 1\r\nSUBJECT : x\r\n\r\ny\r\n",
        "Return-Path: <a@b.example>\n", "Date: Mon, 5 Jan 2026 10:00:00 +0530\n\n",
    ]) func mailsAreRecognised(text: String) {
        #expect(Array(text.utf8).withUnsafeBytes(MailSigns.areIn))
    }
}
