import Glibc
import Synchronization
import Testing

@testable import DKIM

/// A DNS response with the records of one name.
struct DNSResponse {
    var code: UInt8 = 0
    var records: [(type: UInt16, data: [UInt8])] = []

    static func text(_ strings: String...) -> (type: UInt16, data: [UInt8]) {
        (16, strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) })
    }

    /// The answer to a question, which is copied from it.
    func bytes(to question: [UInt8]) -> [UInt8] {
        var bytes = Array(question.prefix(2)) + [0x81, 0x80 | code, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
        let end = question.dropFirst(12).firstIndex(of: 0) ?? question.count - 5
        bytes += question[12..<min(question.count, end + 5)]
        for record in records {
            bytes += [0xC0, 12, 0, UInt8(record.type), 0, 1, 0, 0, 0x0E, 0x10]
            bytes += [UInt8(record.data.count >> 8), UInt8(record.data.count & 255)] + record.data
        }
        return bytes
    }

    /// A question for `a.example`.
    static let question: [UInt8] =
        [7, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 7] + Array("example".utf8) + [0, 0, 16, 0, 1]
}

/// A UDP server on the loopback.
final class DNSServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let asked = Mutex(0)

    var questions: Int { asked.withLock { $0 } }

    /// - Parameter answer: the response to a question; `nil` for silence.
    init(answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        port = UInt16(bigEndian: address.sin_port)
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(server: self, answer: answer))
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        pthread_detach(thread)
    }

    private final class Work {
        let server: DNSServer
        let answer: @Sendable ([UInt8]) -> [UInt8]?

        init(server: DNSServer, answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
            (self.server, self.answer) = (server, answer)
        }

        /// Answers for as long as the test program runs.
        func run() {
            var buffer = [UInt8](repeating: 0, count: 2048)
            while true {
                var peer = sockaddr_in()
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                withUnsafeMutablePointer(to: &peer) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                        let count = recvfrom(server.descriptor, &buffer, buffer.count, 0, address, &length)
                        guard count > 0 else { return }
                        server.asked.withLock { $0 += 1 }
                        guard let response = answer(Array(buffer[..<count])) else { return }
                        sendto(server.descriptor, response, response.count, 0, address, length)
                    }
                }
            }
        }
    }
}

@Suite struct DNSTests {
    static func resolver(_ server: DNSServer) throws -> DNSResolver {
        DNSResolver(server: try #require(DNSResolver.Server("127.0.0.1", port: server.port)))
    }

    @Test(
        arguments: [
            (
                DNSResponse(records: [DNSResponse.text("v=DKIM1; ", "p=AAAA")]),
                .records([Array("v=DKIM1; p=AAAA".utf8)], timeToLive: 3600)
            ),
            (DNSResponse(records: [(5, [0]), DNSResponse.text("p=")]), .records([Array("p=".utf8)], timeToLive: 3600)),
            (DNSResponse(code: 3), .missing), (DNSResponse(), .missing),
            (DNSResponse(records: [(1, [1, 2, 3, 4])]), .missing),
            (DNSResponse(code: 2), .failed), (DNSResponse(records: [(16, [200, 1])]), .failed),
        ] as [(DNSResponse, TXTAnswer)])
    func server(response: DNSResponse, expected: TXTAnswer) throws {
        let server = try DNSServer { response.bytes(to: $0) }
        #expect(try Self.resolver(server).records(of: "big._domainkey.bank.example") == expected)
        #expect(server.questions >= 1)
    }

    /// Responses to another question are not answers. With a silent server the mail waits as long as its limit.
    @Test(arguments: [true, false]) func silenceAndOtherAnswers(isSilent: Bool) throws {
        let server = try DNSServer { question in
            isSilent
                ? nil
                : [question[0] ^ 0xFF] + DNSResponse(records: [DNSResponse.text("p=")]).bytes(to: question).dropFirst()
        }
        let source = DNSKeySource(resolver: try Self.resolver(server), waitLimit: .milliseconds(300))
        let name = try #require(KeyName(selector: "big", domain: "bank.example"))
        let start = ContinuousClock.now
        for _ in 0..<20 { #expect(source.answers(for: [name]) == [.unavailable]) }
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    /// Every truncation and every changed byte gives an answer.
    @Test func damage() {
        let whole = DNSResponse(records: [(5, [1, 98, 0]), DNSResponse.text("v=DKIM1; p=AAAA", "BBBB")])
            .bytes(to: DNSResponse.question)
        #expect(
            DNSAnswer(parsing: whole)?.answer == .records([Array("v=DKIM1; p=AAAABBBB".utf8)], timeToLive: 3600))
        for count in 0..<whole.count { #expect(DNSAnswer(parsing: Array(whole[..<count])) == nil, "\(count)") }
        for index in whole.indices {
            for byte in [0, 1, 63, 64, 0xC0, 0xFF] as [UInt8] {
                var damaged = whole
                damaged[index] = byte
                _ = DNSAnswer(parsing: damaged)
            }
        }
    }
}
