import Foundation
import Testing

@testable import PackedFiles

/// A packed file of its own, removed after the test.
fileprivate final class PackedFixture {
    let folder = NSTemporaryDirectory() + "packed-" + UUID().uuidString
    var path: String { folder + "/packed" }

    init(_ bytes: [UInt8]) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// - Parameter isPiped: reads from a pipe, which cannot seek.
    func members(_ limits: PackedFile.Limits = .init(), isPiped: Bool = false) throws -> [String: String]? {
        var descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var writer: Int32 = -1
        if isPiped {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let bytes = try Data(contentsOf: URL(filePath: path))
            try #require(bytes.count < 60_000)
            close(descriptor)
            (descriptor, writer) = (ends[0], ends[1])
            _ = bytes.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
            close(writer)
        }
        defer { close(descriptor) }
        var beginning = [UInt8](repeating: 0, count: 300)
        let count = read(descriptor, &beginning, beginning.count)
        let packed = try beginning.prefix(max(count, 0)).withUnsafeBytes {
            try PackedFile(descriptor, beginning: $0, limits: limits)
        }
        guard let packed else { return nil }
        var found: [String: String] = [:]
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while let name = try packed.next() {
            var text: [UInt8] = []
            while case let count = try buffer.withUnsafeMutableBytes({ try packed.read(into: $0) }), count > 0 {
                text += buffer.prefix(count)
            }
            found[name] = String(decoding: text, as: UTF8.self)
        }
        return found
    }
}

@Suite struct PackedFileTests {
    /// `tar --format=ustar` of one file: a header of 512 bytes, the text, and two empty blocks.
    static func tar(_ files: [(name: String, text: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, text) in files {
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ text: String, at offset: Int) {
                header.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
            }
            put(name, at: 0)
            put("0000644\0" + "0000000\0" + "0000000\0", at: 100)
            let size = String(text.utf8.count, radix: 8)
            put(String(repeating: "0", count: 11 - size.count) + size + "\0" + "00000000000\0", at: 124)
            put("        0", at: 148)
            put("ustar\0" + "00", at: 257)
            let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
            put(String(repeating: "0", count: 6 - sum.count) + sum + "\0 ", at: 148)
            bytes += header
            bytes += Array(text.utf8)
            bytes += [UInt8](repeating: 0, count: (512 - text.utf8.count % 512) % 512)
        }
        return bytes + [UInt8](repeating: 0, count: 1024)
    }

    /// A gzip file (RFC 1952) of stored blocks (RFC 1951, 3.2.4).
    static func gzip(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var rest = text[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(65_535)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            bytes += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        } while !rest.isEmpty
        for value in [crc32(text), UInt32(truncatingIfNeeded: text.count)] {
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        return bytes
    }

    /// A zip file of stored members, with the list at its end. `flags` 1: encrypted.
    static func zip(_ files: [(name: String, text: String)], flags: UInt16 = 0) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        var bytes: [UInt8] = []
        var list: [UInt8] = []
        for (name, text) in files {
            let size = little(text.utf8.count, 4)
            let checksum = little(Int(crc32(Array(text.utf8))), 4)
            let lengths = little(name.utf8.count, 2) + little(0, 2)
            let parts: [[UInt8]] = [
                little(20, 2), little(Int(flags), 2), little(0, 6), checksum, size, size, lengths,
            ]
            let common: [UInt8] = parts.flatMap { $0 }
            let entry: [[UInt8]] = [
                [0x50, 0x4B, 1, 2], little(20, 2), common, little(0, 10), little(bytes.count, 4), Array(name.utf8),
            ]
            list += entry.flatMap { $0 }
            let local: [[UInt8]] = [[0x50, 0x4B, 3, 4], common, Array(name.utf8), Array(text.utf8)]
            bytes += local.flatMap { $0 }
        }
        let end: [[UInt8]] = [
            [0x50, 0x4B, 5, 6], little(0, 4), little(files.count, 2), little(files.count, 2), little(list.count, 4),
            little(bytes.count, 4), little(0, 2),
        ]
        return bytes + list + end.flatMap { $0 }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    static let files = [(name: "Mail/a.eml", text: "From: a\n\none\n"), (name: "Mail/b.mbox", text: "From x\n")]
    static let expected = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })

    @Test(arguments: [tar(files), gzip(tar(files)), zip(files)], [false, true])
    func filesOfAnArchive(bytes: [UInt8], isPiped: Bool) throws {
        #expect(try PackedFixture(bytes).members(isPiped: isPiped) == Self.expected)
    }

    @Test(arguments: [false, true]) func oneFile(isPiped: Bool) throws {
        #expect(try PackedFixture(Self.gzip(Array("From: a\n".utf8))).members(isPiped: isPiped) == ["": "From: a\n"])
        #expect(try PackedFixture(Self.gzip([])).members(isPiped: isPiped)?.values.joined() ?? "" == "")
    }

    @Test(arguments: ["", "F", "From: a\n\nb\n", "PK", "{}"]) func otherFilesAreNotPacked(text: String) throws {
        #expect(try PackedFixture(Array(text.utf8)).members() == nil)
    }

    @Test(
        arguments: [
            ([0x42, 0x5A, 0x68, 0x39], "bzip2"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz"),
            ([0x28, 0xB5, 0x2F, 0xFD], "zstd"), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7-Zip"),
            (Array("Rar!\u{1A}".utf8), "RAR"),
        ] as [([UInt8], String)]) func otherPackersAreNamed(bytes: [UInt8], name: String) throws
    {
        let error = #expect(throws: PackedFileError.self) { try PackedFixture(bytes).members() }
        #expect(error?.description.hasPrefix("is packed by \(name), which is not read") == true)
    }

    /// Every beginning of a packed file ends with files or an error, and does not hang.
    @Test(arguments: [gzip(tar(files)), zip(files), gzip(Array("From: a\n".utf8))])
    func truncated(bytes: [UInt8]) throws {
        for count in stride(from: 0, to: bytes.count, by: 7) {
            do { _ = try PackedFixture(Array(bytes.prefix(count))).members() } catch is PackedFileError {}
        }
    }

    @Test func damagedAndEncrypted() throws {
        var damaged = Self.gzip(Array(repeating: 65, count: 5000))
        damaged[damaged.count - 6] ^= 0xFF
        #expect(throws: PackedFileError.self) { try PackedFixture(Array(damaged.prefix(900))).members() }
        let error = #expect(throws: PackedFileError.self) {
            try PackedFixture(Self.zip(Self.files, flags: 1)).members()
        }
        #expect(error?.description.contains("Mail/a.eml' in it is encrypted") == true)
    }

    @Test func limits() throws {
        var members = PackedFile.Limits()
        members.members = 1
        let many = #expect(throws: PackedFileError.self) { try PackedFixture(Self.tar(Self.files)).members(members) }
        #expect(many?.description.contains("more than 1 files") == true)
        var size = PackedFile.Limits()
        (size.free, size.expansion) = (1 << 10, 1)
        let bytes = Self.gzip(Array(repeating: 65, count: 200_000))
        #expect(try PackedFixture(bytes).members(size)?.count == 1)
        size.bytes = 100_000
        let large = #expect(throws: PackedFileError.self) { try PackedFixture(bytes).members(size) }
        #expect(large?.description.contains("not read further") == true)
    }

    /// Deflate's best case: a megabyte of one byte.
    @Test func expansion() throws {
        let bytes: [UInt8] = try #require(
            Data(base64Encoded: Self.megabyteOfLetters).map(Array.init))
        var limits = PackedFile.Limits()
        limits.free = 1 << 16
        let error = #expect(throws: PackedFileError.self) { try PackedFixture(bytes).members(limits) }
        #expect(error?.description.contains("more than 400 times") == true)
        #expect(try PackedFixture(bytes).members()?[""]?.utf8.count == 1 << 20)
    }

    /// `head -c 1048576 /dev/zero | tr '\0' A | gzip -9n`: zeros alone would be an empty tar file.
    static let megabyteOfLetters =
        "H4sIAAAAAAACA+3BMQEAAADCoGzrX8oQvkAB" + String(repeating: "AAAA", count: 338)
        + "AHwGyb72gQAAEAA="
}
