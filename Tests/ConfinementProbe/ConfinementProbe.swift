import Glibc
import Processes

/// A program that gives up its rights and then tries to use one, for the tests. Exit status: 0 if it could, 1 if it
/// was refused, 2 if the confinement was.
@main struct ConfinementProbe {
    static func main() {
        let action = CommandLine.arguments.dropFirst().first ?? ""
        if action == "parent" {
            _ = try? ChildProcess(ChildProcess.ownProgram, arguments: ["probe", "wait"], seconds: 600, outputBytes: 0)
                .run()
            _exit(0)
        }
        if action == "descriptors" { _exit((3..<100).contains { fcntl($0, F_GETFD) >= 0 } ? 0 : 1) }
        if action == "echo" { echo() }
        if action == "rules" { RulesProbe(folder: CommandLine.arguments.last ?? "").run() }
        do { try Confinement(memory: 64 << 20, seconds: 1).enter() } catch { _exit(2) }
        _exit(isPossible(action) ? 0 : 1)
    }

    private static func isPossible(_ action: String) -> Bool {
        switch action {
        case "compute": return (0..<1000).map { "\($0)" }.joined().utf8.count == 2890 && write(1, "done", 4) == 4
        case "file": return open("/etc/hostname", O_RDONLY) >= 0
        case "new file": return open("/tmp/confinement-probe", O_CREAT | O_WRONLY, 0o600) >= 0
        case "own memory": return open("/proc/self/mem", O_RDWR) >= 0
        case "socket": return socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0
        case "program":
            var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            return execv("/bin/true", &words) >= 0
        case "process":
            var process: pid_t = 0
            var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            return posix_spawn(&process, "/bin/true", nil, nil, &words, environ) == 0
        case "kill": return kill(getppid(), 0) == 0
        case "machine code":
            return mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
        case "thread":
            var thread = pthread_t()
            return pthread_create(&thread, nil, { _ in nil }, nil) == 0
        case "memory": return malloc(80 << 20) != nil
        case "some memory": return malloc(40 << 20) != nil
        case "loop": while true {}
        case "wait": while true { usleep(1_000_000) }
        default: return false
        }
    }

    private static func echo() -> Never {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(0, &piece, piece.count)
            guard count > 0, write(1, piece, count) == count else { _exit(count == 0 ? 0 : 1) }
        }
    }
}
