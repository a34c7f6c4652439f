import Glibc

/// The programs of a server of Debian.
///
/// Debian's IMAP servers exclude each other, so `scripts/unpack-servers` unpacks those beside Dovecot into
/// `.build/servers/PACKAGE`. A package that is installed serves as well.
public struct PackagedServer: Sendable {
    /// The folder that the package was unpacked to; empty if it is installed.
    private let root: String

    /// - Parameter programs: absolute paths of programs that the tests need; `nil` is returned if one is missing or
    ///   ``MailOwner`` may not run it.
    public init?(package: String, programs: [String]) {
        let project = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let roots = ["/\(project)/.build/servers/\(package)", ""]
        guard let root = roots.first(where: { root in programs.allSatisfy { Self.mayRun(root + $0) } }) else {
            return nil
        }
        self.root = root
    }

    /// Returns the path of a program or file, from its path in the package.
    public func path(_ path: String) -> String { root + path }

    /// The environment in which the programs find the libraries that were unpacked with them.
    public var environment: [String: String] {
        if root.isEmpty { return [:] }
        let machine = "/lib/\(Self.machine)"
        return [
            "LD_LIBRARY_PATH": ["/usr/lib", "/usr" + machine, machine].map { root + $0 }.joined(separator: ":"),
            "SASL_PATH": "\(root)/usr\(machine)/sasl2",
        ]
    }

    private static var machine: String {
        #if arch(arm64)
            "aarch64-linux-gnu"
        #else
            "x86_64-linux-gnu"
        #endif
    }

    /// Root runs servers as another user, who cannot pass a folder such as /root.
    private static func mayRun(_ path: String) -> Bool {
        guard access(path, X_OK) == 0 else { return false }
        if getuid() != 0 { return true }
        let names = path.split(separator: "/")
        return (1...names.count).allSatisfy { count in
            var found = stat()
            return stat("/" + names.prefix(count).joined(separator: "/"), &found) == 0 && found.st_mode & 0o001 != 0
        }
    }
}
