import CResolv
import Glibc

/// The TXT records of a name.
public enum TXTAnswer: Hashable, Sendable {
    /// - Parameter timeToLive: in seconds, the shortest of the records.
    case records([[UInt8]], timeToLive: UInt32)
    /// The name does not exist, or has no TXT record.
    case missing
    /// No answer, or a damaged one.
    case failed
}

/// Looks up TXT records. Blocks the calling thread.
public protocol TXTResolver: Sendable {
    func records(of name: String) -> TXTAnswer
}

/// The system's resolver (resolver(3)).
public struct DNSResolver: TXTResolver {
    /// Address and port of a server to ask instead of those in `resolv.conf`.
    public struct Server: Sendable {
        /// An IPv4 address.
        let address: in_addr_t
        let port: UInt16

        /// `nil` if the text is no IPv4 address.
        public init?(_ address: String, port: UInt16 = 53) {
            var parsed = in_addr()
            guard inet_aton(address, &parsed) != 0, parsed.s_addr != 0 else { return nil }
            (self.address, self.port) = (parsed.s_addr, port)
        }
    }

    /// Seconds until the first repetition of a question.
    private static let seconds: Int32 = 2
    private static let tries: Int32 = 2
    /// A longer answer is damage: a key record has less than a thousand bytes.
    private static let answerBytes = 8192

    private let server: Server?

    public init(server: Server? = nil) { self.server = server }

    public func records(of name: String) -> TXTAnswer {
        var error: Int32 = 0
        var length: Int32 = -1
        let answer = [UInt8](unsafeUninitializedCapacity: Self.answerBytes) { buffer, count in
            length = spendwise_query_txt(
                name, server?.address ?? 0, server?.port ?? 0, Self.seconds, Self.tries, buffer.baseAddress,
                Int32(buffer.count), &error)
            count = max(0, min(Int(length), buffer.count))
        }
        guard length >= 0 else { return error == HOST_NOT_FOUND || error == NO_DATA ? .missing : .failed }
        guard Int(length) <= Self.answerBytes else { return .failed }
        return DNSAnswer(parsing: answer)?.answer ?? .failed
    }
}

/// The TXT records of a response (RFC 1035 section 4).
struct DNSAnswer {
    let answer: TXTAnswer

    private static let txt: UInt16 = 16
    private static let internet: UInt16 = 1
    private static let nameError: UInt16 = 3

    /// `nil` if the response is damaged, truncated or an error.
    init?(parsing bytes: [UInt8]) {
        var reader = DNSReader(bytes: bytes)
        guard reader.skip(2), let flags = reader.uint16(), let questions = reader.uint16(),
            let answers = reader.uint16(), reader.skip(4)
        else { return nil }
        let (isResponse, isTruncated, code) = (flags & 0x8000 != 0, flags & 0x0200 != 0, flags & 0x000F)
        if isResponse, code == Self.nameError {
            answer = .missing
            return
        }
        guard isResponse, !isTruncated, code == 0 else { return nil }
        for _ in 0..<questions { guard reader.skipName(), reader.skip(4) else { return nil } }
        var records: [[UInt8]] = []
        var timeToLive = UInt32.max
        for _ in 0..<answers {
            guard reader.skipName(), let type = reader.uint16(), let form = reader.uint16(),
                let seconds = reader.uint32(), let length = reader.uint16(), let data = reader.read(Int(length))
            else { return nil }
            // The time to live of an alias limits that of the record.
            timeToLive = min(timeToLive, seconds)
            guard type == Self.txt, form == Self.internet else { continue }
            guard let text = Self.joined(data) else { return nil }
            records.append(text)
        }
        answer = records.isEmpty ? .missing : .records(records, timeToLive: timeToLive)
    }

    /// Joins the character strings of a TXT record (RFC 1035 section 3.3.14).
    private static func joined(_ data: ArraySlice<UInt8>) -> [UInt8]? {
        var text: [UInt8] = []
        var rest = data
        while let length = rest.popFirst() {
            guard rest.count >= Int(length) else { return nil }
            text += rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
        }
        return text
    }
}

/// Reads a DNS message from its start to its end. Names are skipped, so no compression pointer is followed.
struct DNSReader {
    let bytes: [UInt8]
    private var cursor = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - cursor else { return nil }
        defer { cursor += count }
        return bytes[cursor..<cursor + count]
    }

    mutating func skip(_ count: Int) -> Bool { read(count) != nil }

    mutating func uint16() -> UInt16? { read(2).map { $0.reduce(0) { $0 << 8 | UInt16($1) } } }

    mutating func uint32() -> UInt32? { read(4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } } }

    /// Skips labels up to the root or to a pointer, which ends a name (RFC 1035 section 4.1.4).
    mutating func skipName() -> Bool {
        while let length = read(1)?.first {
            if length == 0 { return true }
            if length >= 0xC0 { return skip(1) }
            guard length < 0x40, skip(Int(length)) else { return false }
        }
        return false
    }
}
