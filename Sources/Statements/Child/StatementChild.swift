import Glibc
import Processes

/// The process that parses a statement: this program, started again under a name of its own, which gives up its rights
/// before it reads the first byte.
public enum StatementChild {
    /// The name under which the program is started, which no person types.
    static let name = "spendwise-statement"
    /// Seconds from the start of the child to its answer. A statement of a year takes less than one.
    public static let seconds = 30
    /// Memory beyond that of the started program: sixteen times the largest file, which libxml2 needs for markup.
    static let memory: UInt = 256 << 20
    /// Seconds of processor time.
    static let processorSeconds: UInt = 20
    /// Exit status if the system refuses the confinement.
    static let notConfined: Int32 = 71

    /// Does the work of the child and ends the process, if it was started as one; otherwise returns at once. Must be
    /// called before the process has a second thread.
    public static func runIfStarted() {
        guard CommandLine.arguments == [name] else { return }
        do throws(Confinement.Refused) {
            try Confinement(memory: memory, seconds: processorSeconds).enter()
        } catch { _exit(notConfined) }
        guard let request = StatementRequest(input()) else { _exit(1) }
        let answer: StatementAnswer
        do throws(StatementReadingError) {
            let parser = StatementParser(words: request.words)
            answer = .statement(try parser.read(request.file, currency: request.currency, password: request.password))
        } catch { answer = .refusal(error) }
        _exit(write(answer.bytes) ? 0 : 1)
    }

    private static func input() -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while bytes.count <= StatementRequest.maximumBytes {
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? bytes : [] }
            bytes += piece[..<count]
        }
        return []
    }

    private static func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
