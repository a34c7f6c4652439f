import Glibc

/// Cuts the server's bytes into responses: lines, with the literals that stand in them (RFC 9051 section 4.3).
///
/// One response at a time lies whole in the buffer and is parsed there, so a mail's text is copied only by `read` itself. What is kept
/// of literals is bounded by `keep`; the rest of a longer one is read and dropped, and the place noted as a ``Cut``.
struct WireReader: ~Copyable {
    /// Where a literal was longer than what may be kept. `offset` counts from the front of the response.
    struct Cut: Equatable {
        var offset: Int
        var kept: Int
    }

    private enum Phase {
        case line
        case literal(keep: Int, drop: Int)
        case complete
    }

    /// A TLS record has 16 kB; several fit, and a whole usual mail does. More was not faster.
    static let workingCapacity = 128 << 10
    /// While a thousand mailboxes idle, each waits with this.
    static let idleCapacity = 2 << 10

    private var base: UnsafeMutableRawPointer
    private(set) var capacity: Int
    private var standard: Int
    /// The response being cut out: `start..<scan` is understood, `scan..<end` received.
    private var start = 0
    private var scan = 0
    private var end = 0
    private var phase = Phase.line
    private var lineBytes = 0
    private var searched = 0
    private var keepLeft: Int
    private var cuts: [Cut] = []
    /// How many bytes of literals are kept of one response.
    var keep: Int
    /// Bytes received since the beginning.
    private(set) var received: UInt64 = 0
    /// See ``expectProgress(within:)``.
    private var progress: (span: Duration, bytes: UInt64, until: Deadline)?
    /// Called whenever bytes came.
    private let heard: () -> Void

    init(keep: Int, heard: @escaping () -> Void = {}) {
        self.heard = heard
        capacity = Self.idleCapacity
        standard = Self.idleCapacity
        base = .allocate(byteCount: capacity, alignment: 16)
        self.keep = keep
        keepLeft = keep
    }

    deinit { base.deallocate() }

    enum Arrival {
        case response, timedOut, woken
    }

    /// The response that ``next`` found; good until the next call of it. Mutable so that quoted strings are unescaped in place.
    var response: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + start, count: scan - start)
    }

    var responseCuts: [Cut] { cuts }

    /// Cuts out the next response. After `.timedOut` or `.woken` it goes on where it stood.
    mutating func next<Stream: ByteStream & ~Copyable>(
        from stream: inout Stream, patience: Patience, wakeable: Bool
    ) throws(IMAPError) -> Arrival {
        if case .complete = phase { begin() }
        while true {
            if try advance(stream.peer) { return .response }
            makeRoom()
            let free = UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end)
            switch try stream.read(into: free, deadline: deadline(patience), wakeable: wakeable) {
            case .bytes(let count):
                end += min(max(count, 0), free.count)
                received += UInt64(max(count, 0))
                heard()
                if let progress, received - progress.bytes >= WireLimits.progressBytes {
                    expectProgress(within: progress.span)
                }
            case .timedOut: return .timedOut
            case .woken: return .woken
            case .closed:
                throw IMAPError(
                    .closed, retry: .now, what: "\(stream.peer) closed the connection",
                    remedy: "it is opened again by itself")
            }
        }
    }

    /// From now on ``Patience/silence(_:)`` ends where neither ``WireLimits/progressBytes`` come within `span` nor this is called again: a byte now and
    /// then is no silence, and nothing that anybody waits for.
    mutating func expectProgress(within span: Duration) { progress = (span, received, .after(span)) }

    private func deadline(_ patience: Patience) -> Deadline {
        switch patience {
        case .until(let deadline): deadline
        case .silence(let duration): min(.after(duration), progress?.until ?? .after(duration))
        }
    }

    /// Takes what was received behind the present response: it is in another form than what came before.
    mutating func takeUnread() -> [UInt8] {
        guard case .complete = phase else { return [] }
        defer { end = scan }
        return Array(UnsafeRawBufferPointer(start: base + scan, count: end - scan))
    }

    /// Before a long wait: gives the memory back.
    mutating func rest() {
        standard = Self.idleCapacity
        if case .complete = phase { begin() }
        if start == end, capacity > standard { reallocate(standard) }
    }

    mutating func work() { standard = Self.workingCapacity }

    private mutating func begin() {
        start = scan
        phase = .line
        (lineBytes, searched, keepLeft) = (0, 0, keep)
        if !cuts.isEmpty { cuts = [] }
        if start == end {
            (start, scan, end) = (0, 0, 0)
            if capacity > 8 * standard { reallocate(standard) }
        }
    }

    /// Goes through what has been received. True when a response is complete.
    private mutating func advance(_ peer: String) throws(IMAPError) -> Bool {
        while true {
            switch phase {
            case .complete: return true
            case .literal(let keep, let drop):
                let taken = min(keep, end - scan)
                scan += taken
                if taken < keep {
                    phase = .literal(keep: keep - taken, drop: drop)
                    return false
                }
                let dropped = min(drop, end - scan)
                if dropped > 0 {
                    memmove(base + scan, base + scan + dropped, end - scan - dropped)
                    end -= dropped
                }
                if dropped < drop {
                    phase = .literal(keep: 0, drop: drop - dropped)
                    return false
                }
                phase = .line
            case .line:
                let from = scan + searched
                guard let newline = memchr(base + from, 0x0A, end - from) else {
                    searched = end - scan
                    if lineBytes + searched > WireLimits.responseBytes, lineBytes + searched > lineLimit {
                        throw tooLong(peer)
                    }
                    return false
                }
                let lineStart = scan
                scan = UnsafeRawPointer(newline) - UnsafeRawPointer(base) + 1
                searched = 0
                lineBytes += scan - lineStart
                if lineBytes > WireLimits.responseBytes, lineBytes > lineLimit { throw tooLong(peer) }
                guard let size = literalSize(lineStart) else {
                    phase = .complete
                    continue
                }
                guard size <= WireLimits.literalBytes else {
                    throw IMAPError(
                        .limit, retry: .later, what: "\(peer) announced a literal of \(size) bytes",
                        remedy: "the server is at fault; its log may say more")
                }
                let kept = min(size, keepLeft)
                keepLeft -= kept
                if kept < size { cuts.append(Cut(offset: scan - start, kept: kept)) }
                phase = .literal(keep: kept, drop: size - kept)
            }
        }
    }

    /// The `n` of `{n}` or `{n+}` at the end of the line `lineStart..<scan`; `nil` where there is none, and in responses that end in
    /// words for people (`* OK`, `* BYE`, tagged ones, `+`), where braces mean nothing.
    private func literalSize(_ lineStart: Int) -> Int? {
        let bytes = UnsafeRawBufferPointer(start: base, count: scan)
        var at = scan - 2
        if at >= lineStart, bytes[at] == 0x0D { at -= 1 }
        guard at > lineStart, bytes[at] == 0x7D, mayHoldLiterals else { return nil }
        at -= 1
        if bytes[at] == 0x2B { at -= 1 }
        var size = 0
        var unit = 1
        let digitsEnd = at
        while at > lineStart, (0x30...0x39).contains(bytes[at]) {
            guard digitsEnd - at < 18 else { return Int.max }
            size += Int(bytes[at] - 0x30) * unit
            unit *= 10
            at -= 1
        }
        return at >= lineStart && at < digitsEnd && bytes[at] == 0x7B ? size : nil
    }

    private var mayHoldLiterals: Bool {
        starts(with: "* ")
            && !(starts(with: "* OK ") || starts(with: "* NO ") || starts(with: "* BAD ") || starts(with: "* BYE ")
                || starts(with: "* PREAUTH "))
    }

    private var lineLimit: Int {
        starts(with: "* SEARCH") || starts(with: "* ESEARCH") ? WireLimits.searchBytes : WireLimits.responseBytes
    }

    /// Without regard to case; `prefix` is upper case.
    private func starts(with prefix: StaticString) -> Bool {
        guard end - start >= prefix.utf8CodeUnitCount else { return false }
        let bytes = UnsafeRawBufferPointer(start: base + start, count: prefix.utf8CodeUnitCount)
        for index in bytes.indices {
            let byte = bytes[index]
            if ((0x61...0x7A).contains(byte) ? byte & 0xDF : byte) != prefix.utf8Start[index] { return false }
        }
        return true
    }

    private func tooLong(_ peer: String) -> IMAPError {
        IMAPError(
            .limit, retry: .later, what: "\(peer) sent a line of more than \(lineLimit) bytes",
            remedy: "check that this is an IMAP server; its log may say more")
    }

    /// Makes sure that there is room to read into: moves the response to the front, grows where it alone does not fit.
    private mutating func makeRoom() {
        var wanted = standard / 8
        if case .literal(let keep, _) = phase { wanted = max(wanted, keep - (end - scan) + 64) }
        if capacity - end >= wanted { return }
        if start > 0 {
            memmove(base, base + start, end - start)
            (scan, end, start) = (scan - start, end - start, 0)
        }
        if capacity - end < wanted || capacity < standard {
            reallocate(max(standard, max(end + wanted, min(capacity * 2, end * 2))))
        }
    }

    private mutating func reallocate(_ size: Int) {
        let fresh = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        memcpy(fresh, base + start, end - start)
        base.deallocate()
        base = fresh
        (capacity, scan, end, start) = (size, scan - start, end - start, 0)
    }
}
