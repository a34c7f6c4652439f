import Chronology
import Foundation
import Glibc
import ProfileFixture
import Testing
import YAMLSource

@testable import Profiles

/// Texts of profile files, kept in one cache file.
@Suite struct ProfileTextsTests {
    static let template = "template: bank/spend\nkind: ignore\nsamples:\n  - text: spent\nreason: other\n"
    static let stripped = "template: bank/spend\nkind: ignore\n\n\nreason: other\n"
    /// Long after the files were written.
    static let later = UnixTime(seconds: UnixTime.now.seconds + 3600)

    let folder: String
    var file: String { folder + "/spend.yaml" }
    var cache: String { folder + "/texts" }

    init() throws {
        folder = try ProfileFolder(["spend.yaml": Self.template]).path
    }

    func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    func texts(owner: String = "mine", now: UnixTime = later) -> ProfileTexts {
        ProfileTexts(path: cache, owner: owner, now: now)
    }

    func text(of path: String? = nil, _ texts: ProfileTexts) throws -> String {
        String(decoding: try texts.read(path ?? file).file().bytes, as: UTF8.self)
    }

    /// Reads the file, and keeps its text.
    @discardableResult
    func keep(owner: String = "mine") throws -> String {
        let texts = texts(owner: owner)
        defer { texts.save() }
        return try text(texts)
    }

    /// Of the cache file, after its owner and digest.
    func contents() throws -> [UInt8] { Array(try #require(CacheFile.read(cache, of: "mine", upTo: 1 << 20))) }

    @Test func samplesAreLeftOut() throws {
        let read = try texts().read(file)
        try #expect(String(decoding: read.file().bytes, as: UTF8.self) == Self.stripped)
        #expect(read.digest == YAMLFile(path: file, bytes: Array(Self.template.utf8)).digest)
        // Those of a whole bank are not read at all.
        let samples = folder + "/_samples.yaml"
        try write("samples: [", to: samples)
        #expect(try text(of: samples, texts()) == "")
        // Files with underscores have none at their top level, or need them.
        let words = folder + "/_words-hi.yaml"
        try write("samples: []\n", to: words)
        #expect(try text(of: words, texts()) == "samples: []\n")
    }

    @Test func theTextOfAnUnchangedFileIsKept() throws {
        let digest = try texts().read(file).digest
        try keep()
        let bytes = try Data(contentsOf: URL(filePath: cache))
        try #expect(texts().read(file).digest == digest)
        #expect(try keep() == Self.stripped)
        #expect(try Data(contentsOf: URL(filePath: cache)) == bytes)
    }

    /// A cache file with another text, to tell it from the file.
    @Test func aKeptTextIsNotReadAgain() throws {
        try keep()
        var bytes = try contents()
        let word = Array("ignore".utf8)
        let at = try #require((0..<(bytes.count - word.count)).last { bytes[$0..<($0 + word.count)] == word[...] })
        bytes.replaceSubrange(at..<(at + word.count), with: Array("cached".utf8))
        CacheFile.write(bytes, of: "mine", to: cache, upTo: 1 << 20)
        #expect(try text(texts()) == Self.stripped.replacing("ignore", with: "cached"))
        #expect(try text(texts(owner: "another program")) == Self.stripped)
    }

    enum Change: CaseIterable { case sameSize, sameSizeAndTime, grown, replaced }

    @Test(arguments: Change.allCases) func aChangedFileIsReadAgain(_ change: Change) throws {
        try keep()
        var before = stat()
        try #require(stat(file, &before) == 0)
        let text = Self.template.replacing("other", with: "offer") + (change == .grown ? "# More\n" : "")
        if change == .replaced {
            try write(text, to: file + ".new")
            try #require(rename(file + ".new", file) == 0)
        } else {
            let handle = try FileHandle(forWritingTo: URL(filePath: file))
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        }
        if change == .sameSizeAndTime {
            try #require(utimensat(AT_FDCWD, file, [before.st_atim, before.st_mtim], 0) == 0)
        }
        #expect(try keep().contains("offer"))
        #expect(try keep().contains("offer"))
    }

    @Test func aFileThatChangedJustNowIsNotKept() throws {
        let texts = texts(now: .now)
        #expect(try text(texts) == Self.stripped)
        texts.save()
        #expect(access(cache, F_OK) != 0)
    }

    @Test func aDamagedCacheFileIsIgnored() throws {
        try keep()
        let whole = try Data(contentsOf: URL(filePath: cache))
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: URL(filePath: cache))
            #expect(try text(texts()) == Self.stripped)
        }
        // With a right digest: numbers and lengths that do not fit.
        try whole.write(to: URL(filePath: cache))
        let contents = try contents()
        for length in 0..<contents.count {
            CacheFile.write(Array(contents.prefix(length)), of: "mine", to: cache, upTo: 1 << 20)
            #expect(try text(texts()) == Self.stripped)
        }
        for place in 0..<80 {
            for value in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
                var altered = contents
                altered[place] = value
                CacheFile.write(altered, of: "mine", to: cache, upTo: 1 << 20)
                _ = try text(texts())
            }
        }
    }

    /// Most texts are, small ones are not.
    @Test func aLongTextIsKeptCompressed() throws {
        let long = (1...100).map { "key-\($0): of a long text\n" }.joined()
        try write(long, to: file)
        for _ in 1...2 {
            let texts = texts()
            let read = try texts.read(file)
            #expect(read.bytes.count < long.utf8.count / 2 && read.count == long.utf8.count)
            try #expect(read.file().bytes == Array(long.utf8))
            texts.save()
        }
        let text = try texts().read(file)
        let damaged = ProfileText(path: file, digest: text.digest, bytes: text.bytes.dropLast(), count: text.count)
        #expect(throws: SourceError.self) { try damaged.file() }
    }

    @Test func aMissingFileIsAnError() {
        #expect(throws: SourceError.self) { try texts().read(folder + "/missing.yaml") }
    }
}
