// swift-tools-version: 6.1
import PackageDescription

/// Executables export no symbols to the dynamic linker: the table of them takes 1.5 MB of memory. Relocations of
/// the program's own addresses are packed (DT_RELR, glibc 2.36), another 2.5 MB. The toolchain's linker does both, and
/// links in half the time of the usual one. `constants.ld` keeps constants in memory that is read-only and shared.
let programs: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
            "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/Sources/spendwised/constants.ld",
        ], .when(configuration: .release))
]

/// The functions of a pass and of waiting side by side, so that fewer pages of the program are resident;
/// `scripts/function-order` writes the list.
let ordered: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/spendwised/functions.txt",
            "-Xlinker", "--no-warn-symbol-ordering",
        ], .when(configuration: .release))
]

/// The commit that `make build` names, shown by `--version`.
let commit: [CSetting] =
    Context.environment["SPENDWISE_COMMIT"].map { [.define("SPENDWISE_COMMIT", to: "\"\($0)\"")] } ?? []

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// For targets that every mail passes through: debug builds are optimised as well, since the tests spend most of their
/// time there. Assertions stay.
let fast = settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// For targets that no mail passes through: code in an eighth less room.
let compact = settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

extension Target.Dependency {
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let sqlite = product(name: "GRDBSQLite", package: "GRDB.swift")
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird")
    static let hummingbirdTLS = product(name: "HummingbirdTLS", package: "hummingbird")
    static let hummingbirdHTTP2 = product(name: "HummingbirdHTTP2", package: "hummingbird")
    static let hummingbirdTesting = product(name: "HummingbirdTesting", package: "hummingbird")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let nio = product(name: "NIOCore", package: "swift-nio")
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras")
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let mustache = product(name: "Mustache", package: "swift-mustache")
    static let x509 = product(name: "X509", package: "swift-certificates")
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let arguments = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let logging = product(name: "Logging", package: "swift-log")
    static let memoryLogging = product(name: "InMemoryLogging", package: "swift-log")
    static let lifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let signals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "CryptoExtras", package: "swift-crypto")
}

/// The ladder: a target imports only targets on lower rungs. `LadderTests` checks every import line.
let package = Package(
    name: "spendwise",
    products: [
        .executable(name: "spendwised", targets: ["spendwised"]),
        .executable(name: "parserctl", targets: ["parserctl"]),
        .executable(name: "spendwise-pdf", targets: ["spendwise-pdf"]),
        .executable(name: "spendwise-fleet", targets: ["spendwise-fleet"]),
    ],
    // Exact, so that every build of a commit has the same versions of these packages.
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    ],
    targets: [
        // Rung 0: C libraries
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev", "libssl-dev"])]),
        .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CGMime", pkgConfig: "gmime-3.0", providers: [.apt(["libgmime-3.0-dev"])]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .systemLibrary(name: "COpenDKIM", pkgConfig: "opendkim", providers: [.apt(["libopendkim-dev"])]),
        .systemLibrary(name: "CResolv"),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CNcurses", pkgConfig: "ncursesw", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CTimex"),
        .systemLibrary(name: "CProcess"),
        .systemLibrary(name: "CPoppler", pkgConfig: "poppler-glib", providers: [.apt(["libpoppler-glib-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .target(name: "CUnicodeData", path: "Sources/CUnicodeData", publicHeadersPath: "."),
        .target(name: "CMalloc", path: "Sources/CMalloc", publicHeadersPath: "."),
        .target(name: "CWebResources", path: "Sources/CWebResources", publicHeadersPath: "."),
        .target(name: "CVersion", path: "Sources/CVersion", publicHeadersPath: ".", cSettings: commit),
        // Rung 1: the ground floor, one mechanism in one place
        .target(name: "Codecs", swiftSettings: fast),
        .target(name: "Chronology", swiftSettings: fast),
        .target(name: "DurableFiles", swiftSettings: settings),
        .target(name: "Randomness", swiftSettings: settings),
        .target(name: "Processes", dependencies: ["CMalloc", "CProcess", "CSeccomp"], swiftSettings: settings),
        // Rung 2
        .target(name: "PDFWords", swiftSettings: fast),
        .target(name: "Zstandard", dependencies: ["CZstd"], swiftSettings: fast),
        .target(name: "PCRE2", dependencies: ["CPCRE2", "Codecs"], swiftSettings: fast),
        .target(
            name: "InternetMessage", dependencies: ["Chronology", "Codecs", "CGMime", "CPSL", .crypto],
            resources: [
                .embedInCode("Resources/named-references.txt"), .embedInCode("Resources/color-names.txt"),
            ],
            swiftSettings: fast),
        .target(name: "IMAP", dependencies: ["Chronology", "Codecs"], swiftSettings: fast),
        .target(
            name: "Ledger", dependencies: ["Chronology"],
            resources: [.embedInCode("Money/Tables/Countries.tsv"), .embedInCode("Money/Tables/Currencies.tsv")],
            swiftSettings: fast),
        .target(name: "YAMLSource", dependencies: ["CYAML", "DurableFiles"], swiftSettings: fast),
        .target(name: "OAuth", dependencies: ["Codecs", "Randomness", .crypto], swiftSettings: compact),
        .target(name: "PostgreSQL", dependencies: ["CPQ"], swiftSettings: fast),
        .target(name: "Monitoring", dependencies: ["Chronology"], swiftSettings: settings),
        .target(
            name: "Access", dependencies: ["Chronology", "Codecs", "Randomness", .crypto, .cryptoExtras],
            swiftSettings: compact),
        // Rung 3
        .target(name: "CurlTransport", dependencies: ["Chronology", "CCurl", "IMAP"], swiftSettings: settings),
        .target(name: "Deflate", dependencies: ["Chronology", "CZlib", "IMAP"], swiftSettings: fast),
        .target(name: "PDFText", dependencies: ["CPoppler", "PDFWords"], swiftSettings: settings),
        .target(name: "PackedFiles", dependencies: ["CArchive"], swiftSettings: settings),
        .target(
            name: "DKIM",
            dependencies: [
                "Chronology", "Codecs", "COpenDKIM", "CResolv", "InternetMessage", "Processes", .crypto,
                .cryptoExtras,
            ],
            swiftSettings: fast),
        .target(
            name: "Backup",
            dependencies: [
                "Chronology", "Codecs", "DurableFiles", "PackedFiles", "Store", .crypto, .cryptoExtras,
            ],
            swiftSettings: compact),
        .target(
            name: "Profiles",
            dependencies: [
                "Chronology", "Codecs", "DurableFiles", "PCRE2", "InternetMessage", "Ledger", "YAMLSource", "Zstandard",
            ],
            // Links to the files in parsers/, for profile folders without them.
            resources: [
                .embedInCode("BuiltIn/_generic.yaml"), .embedInCode("BuiltIn/_doubts.yaml"),
                .embedInCode("Reading/Tables/MonthNames.tsv"), .embedInCode("Reading/Tables/WeekdayNames.tsv"),
            ],
            swiftSettings: fast),
        .target(
            name: "Store",
            dependencies: [
                "Chronology", "Codecs", "CSQLite", "DurableFiles", "Randomness", "Access", "Ledger", "OAuth",
                "Zstandard", .grdb, .sqlite, .crypto,
            ],
            resources: [.embedInCode("Schema/prepared.sql")],
            swiftSettings: fast),
        .target(
            name: "Settings",
            dependencies: [
                "Chronology", "Codecs", "CVersion", "DurableFiles", "IMAP", "YAMLSource", "Ledger", "OAuth",
                "Processes", .logging,
            ],
            // Links to files in config/, which `parserctl setup` needs wherever it runs.
            resources: [.embedInCode("Resources/providers.yaml"), .embedInCode("Resources/spendwise.yaml")],
            swiftSettings: compact),
        // Rung 4
        .target(name: "Console", dependencies: ["Settings"], swiftSettings: compact),
        .target(
            name: "ProfileAuthoring",
            dependencies: [
                "Chronology", "Codecs", "Randomness", "PCRE2", "InternetMessage", "Ledger", "Profiles", "YAMLSource",
            ],
            swiftSettings: fast),
        .target(
            name: "Ingest",
            dependencies: [
                "Access", "Chronology", "Codecs", "DKIM", "DurableFiles", "IMAP", "OAuth", "CurlTransport", "Deflate",
                "InternetMessage", "Processes", "Profiles",
                "Ledger", "Store",
                "Settings", "YAMLSource", .logging,
            ],
            swiftSettings: fast),
        .target(
            name: "Notify",
            dependencies: [
                "Access", "Chronology", "Codecs", "DurableFiles", "Randomness", "CurlTransport", "IMAP", "Store",
                "Ledger", "Settings", "YAMLSource", .crypto, .logging,
            ],
            swiftSettings: compact),
        .target(
            name: "Exports", dependencies: ["Chronology", "Codecs", "Ledger", "Store"], swiftSettings: compact),
        .target(
            name: "Statements",
            dependencies: [
                "Chronology", "CLibXML2", "Codecs", "Ledger", "PDFWords", "PackedFiles", "Processes", "Profiles",
                "Settings", "YAMLSource",
            ],
            swiftSettings: compact),
        // Rung 5
        .target(
            name: "Review",
            dependencies: [
                "Chronology", "Codecs", "InternetMessage", "ProfileAuthoring", "Profiles", "Statements", "Store",
                "Ledger",
            ],
            swiftSettings: compact),
        // Rung 6
        .target(
            name: "Web",
            dependencies: [
                "CWebResources", "Chronology", "Codecs", "DurableFiles", "Access", "Deflate", "Exports",
                "InternetMessage", "Ledger", "Monitoring", "OAuth", "ProfileAuthoring", "Profiles", "Review",
                "Settings", "Statements", "Store",
                .hummingbird, .hummingbirdCore, .hummingbirdTLS, .httpTypes, .nio, .nioHTTP1, .nioHTTPTypes, .nioPosix,
                .nioSSL, .mustache, .crypto, .x509, .asn1, .logging, .lifecycle,
            ],
            exclude: ["Resources"],
            swiftSettings: compact),
        .target(
            name: "ReviewScreen", dependencies: ["Chronology", "CNcurses", "Profiles", "Review", "Store", "Ledger"],
            swiftSettings: compact),
        .target(
            name: "Upkeep",
            dependencies: [
                "Chronology", "IMAP", "Ingest", "Ledger", "Review", "Settings", "Statements", "Store", .logging,
            ],
            swiftSettings: compact),
        // Rung 7
        .target(
            name: "Fleet",
            dependencies: [
                "Chronology", "Codecs", "CSodium", "CurlTransport", "DurableFiles", "IMAP", "Ingest", "Ledger",
                "Monitoring", "Notify", "PostgreSQL", "Processes", "Profiles", "Settings", "Store", "Upkeep",
                "YAMLSource", .logging,
            ],
            resources: [
                .embedInCode("Resources/households.sql"), .embedInCode("Resources/ledger.sql"),
                .embedInCode("Resources/operating.sql"), .embedInCode("Resources/changes.sql"),
                .embedInCode("Resources/receivers.sql"), .embedInCode("Resources/leases.sql"),
                .embedInCode("Resources/statements.sql"), .embedInCode("Resources/shares.sql"),
                .embedInCode("Resources/mails.sql"),
            ],
            swiftSettings: fast),
        .target(
            name: "Daemon",
            dependencies: [
                "Chronology", "Codecs", "CTimex", "DurableFiles", "IMAP", "Ingest", "Ledger", "Notify", "Processes",
                "Profiles", "Review", "Settings", "Store", "Upkeep", "Web",
                .arguments, .logging, .lifecycle, .signals,
            ],
            swiftSettings: settings),
        .target(
            name: "ParserControl",
            dependencies: [
                "Chronology", "Codecs", "Console", "CurlTransport", "DKIM", "DurableFiles", "CQRencode", "Access",
                "Notify",
                "Review",
                "ReviewScreen", "Statements",
                "Ingest", "Store", "ProfileAuthoring",
                "Backup", "Exports", "PackedFiles", "Profiles", "PCRE2", "InternetMessage", "IMAP", "OAuth", "Settings",
                "Ledger", "Processes",
                "YAMLSource",
                .arguments,
            ],
            swiftSettings: compact),
        // Rung 8
        .target(
            name: "FleetWeb",
            dependencies: [
                "Access", "Chronology", "Fleet", "Ingest", "Profiles", "Settings", "Store", "Web", .hummingbird,
                .logging, .nio, .nioPosix, .lifecycle,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "spendwised", dependencies: ["CUnicodeData", "Daemon", "ParserControl", "Statements", .arguments],
            exclude: ["constants.ld", "functions.txt"], swiftSettings: settings, linkerSettings: programs + ordered),
        .executableTarget(
            name: "parserctl", dependencies: ["ParserControl", "Statements", .arguments], swiftSettings: settings,
            linkerSettings: programs),
        // The only program that links Poppler, so that neither its licence nor its faults concern the others.
        .executableTarget(
            name: "spendwise-pdf", dependencies: ["PDFText", "PDFWords", "Processes"], swiftSettings: settings,
            linkerSettings: programs),
        // The only program that links libpq: one household needs no database server.
        .executableTarget(
            name: "spendwise-fleet",
            dependencies: [
                "Access", "Chronology", "Codecs", "Console", "CUnicodeData", "Fleet", "FleetWeb", "Ingest", "Processes",
                "Profiles", "Settings", "Statements", "Store", "YAMLSource", .arguments, .httpTypes, .hummingbird,
                .lifecycle, .logging, .signals,
            ],
            swiftSettings: settings, linkerSettings: programs),
        // Tests
        .systemLibrary(
            name: "COpenSSL", path: "Tests/COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "AuthorizationFixture", dependencies: ["Codecs", "COpenSSL", "OAuth"],
            path: "Tests/AuthorizationFixture",
            swiftSettings: settings),
        .target(
            name: "PushFixture",
            dependencies: [.crypto, .hummingbird, .hummingbirdHTTP2, .nioSSL, .httpTypes, .nio, .logging],
            path: "Tests/PushFixture", swiftSettings: settings),
        .target(
            name: "ChronologyFixture", dependencies: ["Chronology"], path: "Tests/ChronologyFixture",
            swiftSettings: settings),
        .target(
            name: "PasskeyFixture", dependencies: ["Codecs", .crypto], path: "Tests/PasskeyFixture",
            swiftSettings: settings),
        .target(name: "LoopbackFixture", path: "Tests/LoopbackFixture", swiftSettings: settings),
        .target(
            name: "BrowserFixture", dependencies: ["LoopbackFixture"], path: "Tests/BrowserFixture",
            swiftSettings: settings),
        .target(name: "MailServerFixture", path: "Tests/MailServerFixture", swiftSettings: settings),
        .target(
            name: "DovecotFixture", dependencies: ["LoopbackFixture", "MailServerFixture"],
            path: "Tests/DovecotFixture", swiftSettings: settings),
        .target(
            name: "CyrusFixture", dependencies: ["LoopbackFixture", "MailServerFixture"], path: "Tests/CyrusFixture",
            swiftSettings: settings),
        .target(
            name: "CourierFixture", dependencies: ["LoopbackFixture", "MailServerFixture"],
            path: "Tests/CourierFixture", swiftSettings: settings),
        .target(
            name: "TLSFixture", dependencies: [.hummingbirdTesting, .httpTypes, .nioSSL], path: "Tests/TLSFixture",
            swiftSettings: settings),
        .target(name: "ExpositionFixture", path: "Tests/ExpositionFixture", swiftSettings: settings),
        .target(
            name: "PostgresFixture", dependencies: ["MailServerFixture", "PostgreSQL"], path: "Tests/PostgresFixture",
            swiftSettings: settings),
        .testTarget(
            name: "PostgreSQLTests", dependencies: ["PostgreSQL", "PostgresFixture"], swiftSettings: settings),
        .testTarget(
            name: "FleetWebTests",
            dependencies: [
                "Access", "Chronology", "Fleet", "FleetWeb", "Ledger", "PostgreSQL", "PostgresFixture",
                "ProfileFixture", "Profiles", "Settings", "Store", "TLSFixture", "Web", "YAMLSource", .hummingbird,
                .hummingbirdTesting, .httpTypes,
                .logging, .nio, .nioPosix,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "AuthorizationFixture", "Chronology", "ChronologyFixture", "Codecs", "CurlTransport",
                "ExpositionFixture", "Fleet", "IMAP", "Ingest", "Ledger", "Monitoring", "PostgreSQL", "PostgresFixture",
                "Profiles", "Settings", "Store", "Upkeep", "YAMLSource", .logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LedgerTests", dependencies: ["Chronology", "ChronologyFixture", "Ledger"], swiftSettings: settings),
        .testTarget(name: "PCRE2Tests", dependencies: ["PCRE2"], swiftSettings: settings),
        .testTarget(
            name: "InternetMessageTests",
            dependencies: ["Chronology", "ChronologyFixture", "Randomness", "InternetMessage", "CGMime"],
            swiftSettings: settings),
        .testTarget(
            name: "IMAPTests", dependencies: ["Chronology", "ChronologyFixture", "Randomness", "IMAP", "YAMLSource"],
            swiftSettings: settings
        ),
        .testTarget(name: "CodecsTests", dependencies: ["Codecs"], swiftSettings: settings),
        .testTarget(
            name: "ChronologyTests", dependencies: ["Chronology", "ChronologyFixture", "Processes"],
            swiftSettings: settings),
        .testTarget(name: "DurableFilesTests", dependencies: ["DurableFiles"], swiftSettings: settings),
        .executableTarget(
            name: "ConfinementProbe", dependencies: ["Processes"], path: "Tests/ConfinementProbe",
            swiftSettings: settings),
        .testTarget(name: "ProcessesTests", dependencies: ["Processes", "ConfinementProbe"], swiftSettings: settings),
        .testTarget(name: "RandomnessTests", dependencies: ["Randomness"], swiftSettings: settings),
        .testTarget(name: "OAuthTests", dependencies: ["Codecs", "OAuth"], swiftSettings: settings),
        .testTarget(
            name: "CurlTransportTests",
            dependencies: [
                "Chronology", "CurlTransport", "IMAP", "OAuth", "DovecotFixture", "AuthorizationFixture",
                "LoopbackFixture",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BackupTests", dependencies: ["Backup", "Chronology", "ChronologyFixture", "Ledger", "Store"],
            swiftSettings: settings),
        .testTarget(
            name: "ExportsTests",
            dependencies: [
                "Chronology", "ChronologyFixture", "Codecs", "Exports", "Ledger", "Processes", "Randomness", "Store",
                .grdb,
            ],
            swiftSettings: settings),
        .testTarget(name: "PackedFilesTests", dependencies: ["PackedFiles"], swiftSettings: settings),
        .testTarget(
            name: "DKIMTests", dependencies: ["Chronology", "DKIM", "InternetMessage", "Processes"],
            exclude: ["Fixtures", "bodies.py", "oracle.py", "seals.py"], swiftSettings: settings),
        .testTarget(name: "ZstandardTests", dependencies: ["Zstandard"], swiftSettings: settings),
        .testTarget(name: "DeflateTests", dependencies: ["Chronology", "Deflate", "IMAP"], swiftSettings: settings),
        .testTarget(
            name: "IngestTests",
            dependencies: [
                "Access", "Chronology", "ChronologyFixture", "DKIM", "DurableFiles", "Randomness", "Ingest", "IMAP",
                "OAuth",
                "CurlTransport", "Deflate", "InternetMessage", "Profiles",
                "Ledger", "Store",
                "Settings", "YAMLSource", "CourierFixture", "MailServerFixture", .logging, .grdb,
            ],
            swiftSettings: settings),
        .target(
            name: "ProfileFixture", dependencies: ["InternetMessage", "Profiles"], path: "Tests/ProfileFixture",
            swiftSettings: settings),
        .testTarget(
            name: "ProfilesTests",
            dependencies: [
                "Chronology", "ChronologyFixture", "Codecs", "Randomness", "ProfileFixture", "Profiles", "PCRE2",
                "InternetMessage",
                "Ledger", "YAMLSource",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ProfileAuthoringTests",
            dependencies: [
                "Chronology", "ChronologyFixture", "Randomness", "ProfileAuthoring", "ProfileFixture", "Profiles",
                "PCRE2",
                "InternetMessage", "Ledger", "YAMLSource",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "Chronology", "ChronologyFixture", "Codecs", "ReleasedLedgerFixture", "Store", "Access", "Ledger",
                "IMAP", "OAuth",
                .grdb,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "UpkeepTests",
            dependencies: [
                "Chronology", "IMAP", "Ingest", "Ledger", "Profiles", "Settings", "Store", "Upkeep", "YAMLSource",
                .logging, .memoryLogging,
            ],
            swiftSettings: settings),
        .target(
            name: "ReleasedLedgerFixture", path: "Tests/ReleasedLedgerFixture", swiftSettings: settings),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Chronology", "Daemon", "Ingest", "Ledger", "Processes", "Profiles", "Settings", "Store", .grdb,
                .logging,
                .memoryLogging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ParserControlTests",
            dependencies: [
                "Codecs", "Console", "ParserControl", "Ingest", "ProfileAuthoring", "Profiles", "InternetMessage",
                "Ledger",
                "Settings",
                "Store", "YAMLSource",
                "Review", .arguments,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SettingsTests",
            dependencies: [
                "Chronology", "ChronologyFixture", "Codecs", "Settings", "Processes", "Ledger", "IMAP", "OAuth",
                "YAMLSource",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AccessTests",
            dependencies: [
                "Access", "Chronology", "ChronologyFixture", "Codecs", "PasskeyFixture", "Randomness", .crypto,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "Chronology", "ChronologyFixture", "Codecs", "ExpositionFixture", "Exports", "Web", "Access", "Ingest",
                "InternetMessage", "Monitoring",
                "OAuth", "Processes",
                "ProfileAuthoring",
                "Profiles", "Review", "Settings",
                "Store", "Ledger",
                "YAMLSource", "parserctl", "spendwise-pdf", "AuthorizationFixture", "PasskeyFixture",
                "TLSFixture",
                .hummingbird, .hummingbirdTesting, .httpTypes, .nio, .nioEmbedded, .nioHTTPTypes, .nioSSL, .x509, .asn1,
                .crypto, .grdb, .logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "NotifyTests",
            dependencies: [
                "Access", "Chronology", "ChronologyFixture", "Codecs", "Notify", "CurlTransport", "IMAP", "YAMLSource",
                "DovecotFixture", "Review", "Store",
                "Ledger", "Settings",
                "AuthorizationFixture", "PushFixture", .crypto, .logging, .grdb,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReviewTests", dependencies: ["Chronology", "ChronologyFixture", "Review", "Store", "Ledger", .grdb],
            swiftSettings: settings),
        .testTarget(
            name: "ReviewScreenTests",
            dependencies: ["Chronology", "ChronologyFixture", "Profiles", "ReviewScreen", "Review", "Store", "Ledger"],
            swiftSettings: settings),
        .testTarget(
            name: "StatementsTests",
            dependencies: [
                "Chronology", "Ledger", "PDFText", "PDFWords", "Processes", "Statements", "YAMLSource", "parserctl",
                "spendwised", "spendwise-pdf",
            ],
            swiftSettings: settings),
        .testTarget(name: "LadderTests", swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "BrowserFixture", "DovecotFixture", "CyrusFixture", "CourierFixture", "MailServerFixture",
                "LoopbackFixture", "AuthorizationFixture", "PushFixture", "ReleasedLedgerFixture", "Codecs", "OAuth",
                "Processes", "PostgreSQL", "PostgresFixture", "Zstandard", "spendwised", "parserctl", "spendwise-pdf",
                "spendwise-fleet", .grdb,
            ],
            swiftSettings: settings),
    ]
)

// The folder of each target has a README.md.
for target in package.targets where target.path == nil && [.regular, .executable].contains(target.type) {
    target.exclude.append("README.md")
}
