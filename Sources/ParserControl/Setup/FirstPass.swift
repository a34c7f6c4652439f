import Console
import DurableFiles
import Glibc
import Settings

/// One pass of the installed `spendwised`, whose progress is shown in this terminal.
enum FirstPass {
    /// Runs `spendwised ingest --once` and waits for its end.
    ///
    /// - Returns: the exit status.
    static func run(configuration: String) throws -> Int32 {
        let program = FilePlace.folder(of: InstalledFiles.program) + "/spendwised"
        let arguments: [String] = [program, "ingest", "--once", "--config", configuration]
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, program, nil, nil, &argv, environ)
        guard code == 0 else { throw Refused("\(program) cannot be started: \(String(cString: strerror(code)))") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
    }
}
