import Foundation
import Glibc
import Processes
import Testing

/// The confinement of a process, tried by a program that enters it.
@Suite struct ConfinementTests {
    /// The programs that are built with the tests.
    static let probe =
        URL(
            filePath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        ).deletingLastPathComponent().path + "/ConfinementProbe"

    static func run(
        _ action: String, input: [UInt8]? = nil, seconds: Int = 60, outputBytes: Int = 1 << 20
    ) throws -> ChildProcess.Outcome {
        try ChildProcess(probe, arguments: ["probe", action], seconds: seconds, outputBytes: outputBytes)
            .run(input: input)
    }

    @Test(arguments: ["compute", "some memory"]) func computingIsPossible(action: String) throws {
        #expect(try Self.run(action).end == .exit(0))
    }

    @Test(arguments: ["file", "new file", "own memory", "kill", "machine code", "memory"])
    func isRefused(action: String) throws {
        #expect(try Self.run(action).end == .exit(1))
    }

    /// Also one that the parent would leave to every program that it starts.
    @Test func noDescriptorIsInherited() throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        #expect(file >= 3 && fcntl(file, F_SETFD, 0) == 0)
        #expect(try Self.run("descriptors").end == .exit(1))
    }

    /// What only a process does that has been taken over.
    @Test(arguments: ["socket", "program", "process", "thread"]) func endsTheProcess(action: String) throws {
        #expect(try Self.run(action).end == .signal(SIGSYS))
    }

    @Test func aLoopEndsAtTheLimit() throws { #expect(try Self.run("loop").end == .signal(SIGKILL)) }

    @Test func aWaitingChildEndsAtTheDeadline() {
        #expect(throws: ChildProcess.Failure.timedOut(seconds: 1)) { try Self.run("wait", seconds: 1) }
    }

    @Test func inputAndOutputAreLargerThanAPipe() throws {
        let bytes = [UInt8](repeating: 7, count: 3_000_000)
        let whole = try Self.run("echo", input: bytes, outputBytes: bytes.count)
        #expect(whole.output == bytes && !whole.isCut && whole.end == .exit(0))
        let cut = try Self.run("echo", input: bytes, outputBytes: 1000)
        #expect(cut.output.count == 1000 && cut.isCut)
    }

    @Test func aMissingProgramIsNamed() {
        #expect(throws: ChildProcess.Failure.notStarted(ENOENT)) {
            try ChildProcess("/nowhere/program", arguments: ["x"], seconds: 1, outputBytes: 0).run()
        }
    }

    /// A killed parent leaves no child.
    @Test(.timeLimit(.minutes(2))) func theChildEndsWithItsParent() async throws {
        var words = [strdup(Self.probe), strdup("parent"), nil]
        defer { for word in words { free(word) } }
        var id: pid_t = 0
        try #require(posix_spawn(&id, Self.probe, nil, nil, &words, environ) == 0)
        var child: pid_t?
        while child == nil {
            let text = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
            child = text.split(separator: " ").first.flatMap { pid_t($0) }.flatMap { Self.isConfined($0) ? $0 : nil }
            await Task.yield()
        }
        kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        while kill(try #require(child), 0) == 0, Self.isConfined(try #require(child)) { await Task.yield() }
    }

    private static func isConfined(_ process: pid_t) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8))?.contains("\nSeccomp:\t2") == true
    }
}
