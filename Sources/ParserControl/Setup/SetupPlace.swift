import Console
import DurableFiles
import Glibc
import Settings
import YAMLSource

/// The files of a set-up: the configuration, and the secrets in the folder `credentials` beside it.
struct SetupPlace {
    /// Absolute path of the configuration.
    let configuration: String
    /// True if the installed units read it.
    let isUsual: Bool
    /// The present configuration, or the example of which the new one is made.
    let draft: ConfigurationDraft
    /// True if there is a configuration, possibly the example that the package installs.
    let exists: Bool
    /// True if a person has changed it.
    let isEdited: Bool
    /// Names of the mailboxes that stay.
    let mailboxes: [String]

    var folder: String { FilePlace.folder(of: configuration) }
    var credentials: String { folder == "/" ? "/credentials" : folder + "/credentials" }

    init(_ options: SetupOptions) throws {
        configuration = Self.absolute(options.config)
        isUsual = configuration == Locations.usualConfiguration
        exists = access(configuration, F_OK) == 0
        let example = try ExampleConfiguration.file(for: configuration)
        let present = exists ? try YAMLFile(path: configuration) : nil
        isEdited = present.map { $0.bytes != example.bytes } ?? false
        if let present, isEdited {
            guard options.database == nil, options.parsers.isEmpty else {
                throw Refused("\(configuration) exists: --database and --parsers are for a new configuration")
            }
            _ = try Settings(present)
            draft = try ConfigurationDraft(present)
        } else {
            draft = try ConfigurationDraft(Self.adapted(example, options, isUsual: isUsual))
        }
        mailboxes = try draft.names()
    }

    /// Fails if this user may not write the files, before a person has typed anything.
    func checkWritable() throws {
        let nearest = access(folder, F_OK) == 0 ? folder : FilePlace.folder(of: folder)
        guard access(nearest, W_OK | X_OK) == 0, !exists || access(configuration, R_OK) == 0 else {
            throw Refused(
                "\(configuration) cannot be written by this user: \(String(cString: strerror(errno)))\n"
                    + "Run 'sudo parserctl setup', or name a file of your own with --config.")
        }
    }

    /// The name of a secret in the configuration, and its file.
    func secret(_ name: String) -> (name: String, path: String) {
        // A file of the name beside the configuration would be found before that in the folder.
        let free = access(folder + "/" + name, F_OK) == 0 ? name + "-password" : name
        return (free, credentials + "/" + free)
    }

    /// The file of a mailbox's refresh token, which the daemon replaces.
    func refreshToken(_ mailbox: String) -> String {
        let state = "/var/lib/spendwise-ingest"
        return isUsual && access(state, F_OK) == 0 ? "\(state)/\(mailbox)" : credentials + "/\(mailbox)-refresh-token"
    }

    func makeFolders() throws {
        for (path, mode) in [(folder, mode_t(0o755)), (credentials, 0o700)] where access(path, F_OK) != 0 {
            guard mkdir(path, mode) == 0 else {
                throw Refused("\(path) cannot be made: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Replaces the secret's file with mode 0600.
    func write(secret: [UInt8], to path: String) throws {
        try makeFolders()
        try SecretFile(.password, name: path, folder: folder).write([secret])
    }

    /// The configuration holds no secret; the daemon's user reads it.
    func write(_ file: YAMLFile) throws {
        try makeFolders()
        do throws(FileWriteError) {
            try FileReplacement(configuration, mode: exists ? .kept : .exactly(0o644)).write(file.bytes)
        } catch {
            throw Refused("\(configuration) cannot be written: \(error)")
        }
    }

    /// The example with the paths of this installation.
    private static func adapted(_ file: YAMLFile, _ options: SetupOptions, isUsual: Bool) throws -> YAMLFile {
        var file = file
        let folder = FilePlace.folder(of: file.path)
        if let database = options.database.map(absolute) ?? (isUsual ? nil : folder + "/spendwise.db") {
            file = try file.setting("database", of: [], to: .text(database))
        }
        let isInstalled = access(InstalledFiles.profiles, R_OK) == 0
        let parsers =
            options.parsers.isEmpty && !isInstalled && access("parsers", R_OK) == 0 ? ["parsers"] : options.parsers
        if !parsers.isEmpty {
            file = try file.setting("parsers", of: [], to: .list(parsers.map { .text(absolute($0)) }))
        } else if !isUsual {
            file = try file.setting("parsers", of: [], to: .list([.text(InstalledFiles.profiles)]))
        }
        let categories = "config/categories.yaml"
        if access(InstalledFiles.categories, R_OK) != 0, access(categories, R_OK) == 0 {
            file = try file.setting("categories", of: [], to: .text(absolute(categories)))
        }
        return file
    }

    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }
}

extension SetupPlace {
    /// True if the folder of secrets has a file of this name.
    func hasSecret(_ name: String) -> Bool { hasFile(credentials + "/" + name) }

    func hasFile(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
