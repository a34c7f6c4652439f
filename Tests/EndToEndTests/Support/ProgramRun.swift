import Foundation
import Glibc

/// Error: a precondition of a test does not hold.
struct Failed: Error, CustomStringConvertible {
    let description: String
}

/// Waits until `condition` holds. The time limit far exceeds what a loaded machine needs: reaching it is a failure.
func waitUntil(_ what: @autoclosure () -> String, seconds: Double = 60, _ condition: () throws -> Bool) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    while try !condition() {
        guard Date() < end else { throw Failed(description: "not within \(Int(seconds)) s: \(what())") }
        usleep(2000)
    }
}

/// One run of `spendwised` or `parserctl` as built with the tests, or of the programs in the folder SPENDWISE_PROGRAMS,
/// such as those of a release. Output goes to files. The process is killed if a test leaves it running.
final class Program {
    /// The root folder of the project.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    static let binaries = ProcessInfo.processInfo.environment["SPENDWISE_PROGRAMS"] ?? built
    /// The folder of the tests.
    static let built: String = {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return URL(filePath: String(decoding: buffer[..<max(0, count)], as: UTF8.self)).deletingLastPathComponent().path
    }()

    private let process: pid_t
    private let outputPath: String
    private let errorPath: String
    private let description: String
    private var status: Int32?

    /// - Parameters:
    ///   - environment: added to that of the tests, without systemd's variables.
    ///   - input: path of standard input. A named pipe is kept open.
    init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null",
        in scratch: Scratch
    ) throws {
        let path = name.contains("/") ? name : Self.binaries + "/" + name
        description = ([name] + arguments).joined(separator: " ")
        outputPath = scratch.fresh("output")
        errorPath = scratch.fresh("errors")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDWR, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var variables = ProcessInfo.processInfo.environment
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "JOURNAL_STREAM", "CREDENTIALS_DIRECTORY"] {
            variables[name] = nil
        }
        variables.merge(try LanguageData.environment()) { $1 }
        variables.merge(environment) { $1 }
        if environment["XDG_CACHE_HOME"] == nil { variables["XDG_CACHE_HOME"] = try scratch.cache.get() }
        if environment["XDG_STATE_HOME"] == nil { variables["XDG_STATE_HOME"] = scratch.path + "/state" }
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for pointer in argv + envp { free(pointer) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var process: pid_t = 0
        let result = posix_spawn(&process, path, &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw Failed(description: "\(path): \(String(cString: strerror(result)))") }
        self.process = process
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }

    var output: String { (try? String(decoding: Data(contentsOf: URL(filePath: outputPath)), as: UTF8.self)) ?? "" }
    var errors: String { (try? String(decoding: Data(contentsOf: URL(filePath: errorPath)), as: UTF8.self)) ?? "" }

    /// The first `https` address in the output.
    var address: String? { output.split(separator: "\n").first { $0.hasPrefix("https://") }.map(String.init) }

    /// Resident memory without that of mapped files.
    var anonymousKilobytes: Int {
        let lines = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        return lines.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }.flatMap { Int($0.filter(\.isNumber)) }
            ?? .max
    }

    /// Paths of the program and its libraries.
    var libraries: [String] { Self.libraries(of: "\(process)") }

    /// Files that a process has mapped as code. `String(contentsOfFile:)` would read the first page of the list only.
    static func libraries(of process: String) -> [String] {
        let text = (try? FileHandle(forReadingAtPath: "/proc/\(process)/maps")?.readToEnd()) ?? Data()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.contains(" r-xp ") }
            .compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
    }

    /// Returns true if the process catches the signal (proc_pid_status(5)).
    func catches(_ signal: Int32) -> Bool {
        let lines =
            (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.contains { line in
            (line.hasPrefix("SigIgn:") || line.hasPrefix("SigCgt:"))
                && (UInt64(line.split(separator: "\t").last ?? "", radix: 16) ?? 0) & (1 << (signal - 1)) != 0
        }
    }

    func signal(_ number: Int32) { if status == nil { kill(process, number) } }

    /// Waits for the end. Returns the exit status, or 128 + the number of the signal that ended the process.
    @discardableResult
    func exit(within seconds: Double = 120) throws -> Int32 {
        try waitUntil("the end of \(description)\n\(errors)", seconds: seconds) { hasEnded }
        return status ?? -1
    }

    /// Peak resident memory while the process runs; 0 afterwards.
    var peakKilobytes: Int {
        guard status == nil, let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else {
            return 0
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// Kills the process with SIGKILL, like a crash.
    func crash() throws {
        signal(SIGKILL)
        try exit()
    }

    var hasEnded: Bool {
        if status != nil { return true }
        var raw: Int32 = 0
        guard waitpid(process, &raw, WNOHANG) == process else { return false }
        status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + raw & 0x7F
        return true
    }

    /// Waits until standard error contains `words`.
    func logs(_ words: String) throws {
        try waitUntil("'\(words)' of \(description), whose log is:\n\(errors)") {
            if errors.contains(words) { return true }
            if hasEnded {
                throw Failed(
                    description:
                        "\(description) ended with status \(status ?? -1) before it logged '\(words)':\n\(errors)")
            }
            return false
        }
    }
}

/// A temporary folder, removed with this value.
final class Scratch {
    let path: String
    /// The cache of programs that know the shipped profiles.
    private(set) lazy var cache = Result {
        let folder = path + "/cache"
        try ProvenProfiles.write(to: folder)
        return folder
    }
    private var count = 0

    init() throws {
        path = NSTemporaryDirectory() + "spendwise-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns a folder with the profiles of three banks: a debug build takes a second to load all of them.
    func threeBanks() throws -> String {
        let folder = path + "/three-banks"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["_common.yaml", "_statement-words.yaml", "_india", "hdfc", "icici", "sbi"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/" + name, withDestinationPath: Program.root + "/parsers/" + name)
        }
        return folder
    }

    /// Returns an unused path in the folder.
    func fresh(_ name: String) -> String {
        count += 1
        return "\(path)/\(count)-\(name)"
    }

    /// Writes a file below the folder. Returns its path.
    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws -> String {
        let file = URL(filePath: path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        chmod(file.path, mode_t(mode))
        return file.path
    }
}
