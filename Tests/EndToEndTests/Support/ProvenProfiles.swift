import Foundation

/// What the programs remember after a first start with the shipped profiles.
///
/// A debug build takes seven seconds to read all templates, and the tests start programs hundreds of times. So the
/// programs read them once, and each folder of a test gets a copy of their cache. Profiles that a test adds or changes
/// are read as at their first start.
enum ProvenProfiles {
    /// The files of the cache by name.
    private static let files: Result<[String: Data], any Error> = Result {
        let scratch = try Scratch()
        let configuration = try scratch.write(
            """
            database: \(scratch.path)/ledger.db
            parsers: [\(Program.root)/parsers]
            categories: \(Program.root)/config/categories.yaml
            mailboxes: []
            """, to: "spendwise.yaml")
        let empty = try scratch.write("", to: "empty.mbox")
        let folder = scratch.path + "/first/spendwise"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, arguments) in [
            ("spendwised", ["ingest", "--once", "--config", configuration]),
            ("parserctl", ["import", "--config", configuration, empty]),
        ] {
            try Program(name, arguments, environment: ["XDG_CACHE_HOME": scratch.path + "/first"], in: scratch).exit()
        }
        return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) {
            $0[$1] = try Data(contentsOf: URL(filePath: folder + "/" + $1))
        }
    }

    /// Writes the cache below a folder, which becomes `XDG_CACHE_HOME`.
    static func write(to folder: String) throws {
        let cache = folder + "/spendwise"
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        for (name, bytes) in try files.get() { try bytes.write(to: URL(filePath: cache + "/" + name)) }
    }
}
