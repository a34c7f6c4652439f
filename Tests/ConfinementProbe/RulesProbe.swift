import Glibc
import Processes

/// Restricts this process to parts of a folder, and prints what is still possible: one word each. Exit status 2 without
/// Landlock, 1 if the rules can be made in a process with two threads.
struct RulesProbe {
    let folder: String

    func run() -> Never {
        var rules = FileRules()
        for path in ["/usr", "/bin", "/lib", "/lib64"] { rules.allow(.run, path) }
        rules.allow(.use, "/dev/null")
        rules.allow(.read, "/proc")
        rules.allow(.read, folder + "/read")
        rules.allow(.write, folder + "/write")
        rules.allow(.read, folder + "/missing")
        (rules.listening, rules.connects) = ([], false)
        guard case .inForce(let version) = rules.enter() else { _exit(2) }
        say("version \(version) ")
        // The rules hold for later threads.
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { probe in
                if let probe { Unmanaged<Box>.fromOpaque(probe).takeRetainedValue().probe.sayPossible() }
                return nil
            }, Unmanaged.passRetained(Box(self)).toOpaque())
        pthread_join(thread, nil)
        pthread_create(&thread, nil, { _ in while true { usleep(1_000_000) } }, nil)
        if case .inForce = FileRules().enter() { _exit(1) }
        _exit(0)
    }

    private func say(_ text: String) { _ = text.withCString { write(1, $0, strlen($0)) } }

    private final class Box {
        let probe: RulesProbe
        init(_ probe: RulesProbe) { self.probe = probe }
    }

    private func sayPossible() {
        let possible: [(String, Bool)] = [
            ("read", opens("/read/file", O_RDONLY)), ("change-read", opens("/read/file", O_WRONLY)),
            ("make-in-read", opens("/read/new", O_CREAT | O_WRONLY)), ("link-out", opens("/read/link", O_RDONLY)),
            ("make", opens("/write/new", O_CREAT | O_RDWR)),
            ("rename", rename(folder + "/write/new", folder + "/write/newer") == 0),
            ("truncate", truncate(folder + "/write/newer", 0) == 0),
            ("remove", unlink(folder + "/write/newer") == 0), ("link-in", opens("/link", O_RDONLY)),
            ("other", opens("/other", O_RDONLY)), ("password", open("/etc/passwd", O_RDONLY) >= 0),
            ("list", opendir(folder) != nil), ("child", child("/bin/cat", folder + "/read/file")),
            ("child-other", child("/bin/cat", folder + "/other")),
            ("run-written", child(folder + "/write/program", "x")), ("listen", binds()), ("connect", connects()),
        ]
        say(possible.filter(\.1).map(\.0).joined(separator: " "))
    }

    private func opens(_ path: String, _ flags: Int32) -> Bool { open(folder + path, flags, 0o600) >= 0 }

    private func child(_ program: String, _ argument: String) -> Bool {
        let outcome = try? ChildProcess(program, arguments: ["x", argument], seconds: 20, outputBytes: 100).run()
        return outcome?.end == .exit(0)
    }

    /// Any free port of the loopback.
    private func binds() -> Bool { withLoopback(port: 0) { bind($0, $1, $2) == 0 } }

    /// Nothing listens there: the refusal of the other side shows that the attempt was made.
    private func connects() -> Bool { withLoopback(port: 9) { connect($0, $1, $2) == 0 || errno == ECONNREFUSED } }

    private func withLoopback(port: UInt16, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
