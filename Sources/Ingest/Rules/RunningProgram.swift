import DurableFiles
import Glibc
public import Profiles
import Settings

/// The running program.
public enum Program {
    /// Identity of the executable file, which changes with every installation.
    static let identity: String = {
        guard let file = FileStamp(of: "/proc/self/exe") else { return "unknown" }
        return "\(file.inode)-\(file.size)-\(file.modifiedAt)"
    }()

    /// File that records which profiles were proven: in `$CACHE_DIRECTORY` (systemd.exec(5)),
    /// `$XDG_CACHE_HOME/spendwise` or `~/.cache/spendwise`.
    public static var proofs: ProofFile {
        ProofFile(path: cache.map { "\($0)/proofs-\(name)" }, program: identity)
    }

    private static let name = InstalledFiles.program.split(separator: "/").last.map(String.init) ?? "unknown"

    private static var cache: String? {
        func folder(_ variable: String) -> String? {
            guard let value = getenv(variable).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
            return value
        }
        // systemd separates several folders by colons; the first one is used.
        if let given = folder("CACHE_DIRECTORY") { return given.split(separator: ":").first.map(String.init) }
        guard let base = folder("XDG_CACHE_HOME") ?? folder("HOME").map({ ($0 == "/" ? "" : $0) + "/.cache" }) else {
            return nil
        }
        mkdir(base, 0o700)
        mkdir(base + "/spendwise", 0o700)
        return base + "/spendwise"
    }
}
