import Console
import Glibc
import Testing

@testable import ParserControl

/// Writes to /dev/full, which fails like a full disk.
@Suite struct OutputTests {
    @Test func failedWriteIsReported() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        let error = #expect(throws: OutputError.self) { try Output.writeAll(Array("x\n".utf8), to: full) }
        #expect(error?.code == ENOSPC && error?.description.contains("No space left on device") == true)
    }

    @Test func everyByteIsWritten() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        try Output.writeAll(Array("one\ntwo\n".utf8), to: ends[1])
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(ends[0], &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "one\ntwo\n")
    }
}
