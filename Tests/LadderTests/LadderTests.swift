import Foundation
import Testing

/// Checks every `import` line of every target against the table of allowed imports. SwiftPM does not: an undeclared
/// import of a transitive dependency builds.
@Suite struct LadderTests {
    /// Rung and allowed imports of each target: modules of this package and of others. Every target may import
    /// `language`.
    static let ladder: [String: (rung: Int, ours: Set<String>, outside: Set<String>)] = [
        "Codecs": (1, [], []),
        "Chronology": (1, [], []),
        "DurableFiles": (1, [], []),
        "Randomness": (1, [], []),
        "Processes": (1, ["CMalloc", "CProcess", "CSeccomp"], []),
        "PDFWords": (2, [], []),
        "Zstandard": (2, ["CZstd"], []),
        "PCRE2": (2, ["CPCRE2", "Codecs"], []),
        "InternetMessage": (2, ["Chronology", "Codecs", "CGMime", "CPSL"], ["Crypto"]),
        "IMAP": (2, ["Chronology", "Codecs"], []),
        "Ledger": (2, ["Chronology"], []),
        "YAMLSource": (2, ["CYAML", "DurableFiles"], []),
        "OAuth": (2, ["Codecs", "Randomness"], ["Crypto"]),
        "PostgreSQL": (2, ["CPQ"], []),
        "Monitoring": (2, ["Chronology"], []),
        "Access": (2, ["Chronology", "Codecs", "Randomness"], ["Crypto", "CryptoExtras"]),
        "CurlTransport": (3, ["Chronology", "CCurl", "IMAP"], []),
        "PDFText": (3, ["CPoppler", "PDFWords"], []),
        "PackedFiles": (3, ["CArchive"], []),
        "DKIM": (
            3, ["Chronology", "Codecs", "COpenDKIM", "CResolv", "InternetMessage", "Processes"],
            ["Crypto", "CryptoExtras"]
        ),
        "Deflate": (3, ["Chronology", "CZlib", "IMAP"], []),
        "Profiles": (
            3,
            ["Chronology", "Codecs", "DurableFiles", "PCRE2", "InternetMessage", "Ledger", "YAMLSource", "Zstandard"],
            []
        ),
        "ProfileAuthoring": (
            4, ["Chronology", "Codecs", "Randomness", "PCRE2", "InternetMessage", "Ledger", "YAMLSource", "Profiles"],
            []
        ),
        "Backup": (4, ["Chronology", "Codecs", "DurableFiles", "PackedFiles", "Store"], ["Crypto", "CryptoExtras"]),
        "Exports": (4, ["Chronology", "Codecs", "Ledger", "Store"], []),
        "Statements": (
            4,
            [
                "Chronology", "CLibXML2", "Codecs", "Ledger", "PDFWords", "PackedFiles", "Processes", "Profiles",
                "Settings", "YAMLSource",
            ], []
        ),
        "Store": (
            3,
            [
                "Chronology", "Codecs", "CSQLite", "DurableFiles", "Randomness", "Access", "Ledger", "OAuth",
                "Zstandard",
            ],
            ["Crypto", "GRDB", "GRDBSQLite"]
        ),
        "Settings": (
            3,
            ["Chronology", "Codecs", "CVersion", "DurableFiles", "IMAP", "YAMLSource", "Ledger", "OAuth", "Processes"],
            ["Logging"]
        ),
        "Console": (4, ["Settings"], []),
        "Ingest": (
            4,
            [
                "Access", "Chronology", "Codecs", "DKIM", "DurableFiles", "InternetMessage", "IMAP", "OAuth", "Ledger",
                "Processes", "YAMLSource", "CurlTransport", "Deflate", "Profiles", "Store", "Settings",
            ], ["Logging"]
        ),
        "Review": (
            5,
            [
                "Chronology", "Codecs", "InternetMessage", "Ledger", "ProfileAuthoring", "Profiles", "Statements",
                "Store",
            ],
            []
        ),
        "Web": (
            6,
            [
                "Chronology", "Codecs", "CWebResources", "DurableFiles", "Access", "Deflate", "Exports",
                "InternetMessage", "Ledger", "Monitoring", "OAuth", "ProfileAuthoring", "Profiles", "Review",
                "Settings", "Statements", "Store",
            ],
            [
                "Hummingbird", "HummingbirdCore", "HummingbirdTLS", "HTTPTypes", "NIOCore", "NIOHTTP1", "NIOHTTPTypes",
                "NIOPosix", "NIOSSL", "Mustache", "Crypto", "X509", "SwiftASN1", "Logging", "ServiceLifecycle",
            ]
        ),
        "Notify": (
            4,
            [
                "Access", "Chronology", "Codecs", "DurableFiles", "Randomness", "IMAP", "Ledger", "CurlTransport",
                "Store", "Settings", "YAMLSource",
            ],
            ["Crypto", "Logging"]
        ),
        "ReviewScreen": (6, ["Chronology", "CNcurses", "Ledger", "Profiles", "Review", "Store"], []),
        "Upkeep": (
            6,
            ["Chronology", "IMAP", "Ingest", "Ledger", "Review", "Settings", "Statements", "Store"],
            ["Logging"]
        ),
        "Fleet": (
            7,
            [
                "Chronology", "Codecs", "CSodium", "CurlTransport", "DurableFiles", "IMAP", "Ingest", "Ledger",
                "Monitoring", "Notify", "PostgreSQL", "Processes", "Profiles", "Settings", "Store", "Upkeep",
                "YAMLSource",
            ], ["Logging"]
        ),
        "Daemon": (
            7,
            [
                "Chronology", "Codecs", "CTimex", "DurableFiles", "IMAP", "Ledger", "Processes", "Profiles", "Store",
                "Settings", "Ingest", "Notify", "Review", "Upkeep", "Web",
            ],
            ["ArgumentParser", "Logging", "ServiceLifecycle", "UnixSignals"]
        ),
        "ParserControl": (
            7,
            [
                "Chronology", "Codecs", "Console", "DKIM", "DurableFiles", "CQRencode", "Access", "Notify", "Review",
                "ReviewScreen",
                "Statements",
                "PCRE2", "InternetMessage",
                "IMAP", "OAuth", "Ledger", "YAMLSource", "CurlTransport", "ProfileAuthoring", "Profiles", "Store",
                "Settings", "Ingest", "PackedFiles", "Processes", "Backup", "Exports",
            ],
            ["ArgumentParser"]
        ),
        "FleetWeb": (
            8, ["Access", "Chronology", "Fleet", "Ingest", "Profiles", "Settings", "Store", "Web"],
            ["Hummingbird", "Logging", "NIOCore", "NIOPosix", "ServiceLifecycle"]
        ),
        "spendwised": (8, ["Daemon", "ParserControl", "Statements"], ["ArgumentParser"]),
        "parserctl": (8, ["ParserControl", "Statements"], ["ArgumentParser"]),
        "spendwise-pdf": (8, ["PDFText", "PDFWords", "Processes"], []),
        "spendwise-fleet": (
            9,
            [
                "Access", "Chronology", "Codecs", "Console", "Fleet", "FleetWeb", "Ingest", "Processes", "Profiles",
                "Settings", "Statements", "Store", "YAMLSource",
            ],
            ["ArgumentParser", "HTTPTypes", "Hummingbird", "Logging", "ServiceLifecycle", "UnixSignals"]
        ),
    ]
    /// Not Foundation: its functions for languages and time zones need data that the programs leave out (CUnicodeData).
    static let language: Set<String> = ["Swift", "Glibc", "Synchronization", "FoundationEssentials", "Dispatch"]
    static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    @Test func everySourceFolderHasARow() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).filter {
            ![
                "CCurl", "CPCRE2", "CGMime", "CZlib", "CMalloc", "CNcurses", "CPSL", "CQRencode", "CTimex", "CVersion",
                "CUnicodeData", "CArchive", "CProcess", "CSeccomp", "CPoppler", "COpenDKIM", "CResolv", "CZstd",
                "CLibXML2", "CYAML", "CPQ", "CSQLite", "CSodium", "CWebResources",
            ]
            .contains($0)
        }
        #expect(Set(folders) == Set(Self.ladder.keys))
    }

    /// Poppler is under the GPL, and takes hostile bytes apart: only the program that reads PDFs links it.
    @Test func oneProgramLinksPoppler() {
        var importers: Set = ["CPoppler"]
        for (target, row) in Self.ladder.sorted(by: { $0.value.rung < $1.value.rung })
        where !row.ours.isDisjoint(with: importers) { importers.insert(target) }
        #expect(importers == ["CPoppler", "PDFText", "spendwise-pdf"])
    }

    /// The programs of one household load neither a client of a database server nor a second library of ciphers.
    @Test(arguments: [("CPQ", Set<String>(["PostgreSQL"])), ("CSodium", Set<String>())])
    func onlyFleetsLinkTheirLibraries(
        _ library: String, _ others: Set<String>
    ) {
        var importers: Set = [library]
        for (target, row) in Self.ladder.sorted(by: { $0.value.rung < $1.value.rung })
        where !row.ours.isDisjoint(with: importers) { importers.insert(target) }
        #expect(importers == others.union([library, "Fleet", "FleetWeb", "spendwise-fleet"]))
    }

    @Test func everyAllowedImportIsOnALowerRung() {
        for (target, row) in Self.ladder {
            for other in row.ours {
                #expect((Self.ladder[other]?.rung ?? 0) < row.rung, "\(other) is not on a lower rung than \(target)")
            }
        }
    }

    /// An allowance that nothing uses is removed, so that the table shows the real structure.
    @Test(arguments: ladder.keys.sorted()) func importsOnlyLowerRungs(target: String) throws {
        let row = try #require(Self.ladder[target])
        let allowed = row.ours.union(row.outside).union(Self.language)
        let folder = Self.sources.appending(path: target)
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)).compactMap
        { $0 as? URL }
        var imported: Set<String> = []
        for file in files where file.pathExtension == "swift" {
            for (number, line) in try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false
            ).enumerated() {
                guard let module = Self.importedModule(line) else { continue }
                #expect(allowed.contains(module), "\(target)/\(file.lastPathComponent):\(number + 1) imports \(module)")
                imported.insert(module)
            }
        }
        let unused = row.ours.union(row.outside).subtracting(imported)
        #expect(unused.isEmpty, "\(target) imports no \(unused.sorted().joined(separator: ", "))")
    }

    /// Returns the module that an import line names, A for `import struct A.B`, or nil for any other line.
    static func importedModule(_ line: Substring) -> String? {
        var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })[...]
        while let word = words.first,
            word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
        { words.removeFirst() }
        guard words.popFirst() == "import", var name = words.popFirst() else { return nil }
        if ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"].contains(name),
            let next = words.popFirst()
        {
            name = next
        }
        return name.split(separator: ".").first.map { $0.filter { $0.isLetter || $0.isNumber || $0 == "_" } }
    }
}
