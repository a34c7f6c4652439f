import Chronology
import Glibc

/// Splits the server's bytes into responses: lines with their literals (RFC 9051 section 4.3).
///
/// The buffer holds one whole response, which is parsed in place. At most `keep` bytes of its literals are kept; the
/// rest of a longer literal is read and dropped, and its place is recorded as a ``Cut``.
struct WireReader: ~Copyable {
    /// A literal that was longer than what may be kept. `offset` counts from the beginning of the response.
    struct Cut: Equatable {
        var offset: Int
        var kept: Int
    }

    private enum Phase {
        case line
        case literal(keep: Int, drop: Int)
        case complete
    }

    /// Several TLS records of 16 kB, or one alert. Measured: a larger buffer is not faster.
    static let workingCapacity = 128 << 10
    /// Kept by each idle mailbox.
    static let idleCapacity = 2 << 10

    private var base: UnsafeMutableRawPointer
    private(set) var capacity: Int
    private var standard: Int
    /// The current response: `start..<scan` has been scanned, `scan..<end` received.
    private var start = 0
    private var scan = 0
    private var end = 0
    private var phase = Phase.line
    private var lineBytes = 0
    private var searched = 0
    private var keepLeft: Int
    private var cuts: [Cut] = []
    /// Bytes of literals kept of one response.
    var keep: Int
    /// Bytes received in total.
    private(set) var received: UInt64 = 0
    /// See ``expectProgress(within:)``.
    private var progress: (span: Duration, bytes: UInt64, until: Deadline)?
    /// Called after each read that returned bytes.
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

    /// The response that ``next`` found; valid until its next call. Mutable because quoted strings are unescaped in
    /// place.
    var response: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + start, count: scan - start)
    }

    var responseCuts: [Cut] { cuts }

    /// Reads the next response. After `.timedOut` or `.woken` the next call continues with what has arrived.
    mutating func next<Stream: ByteStream & ~Copyable>(
        from stream: inout Stream, timeout: ReadTimeout, wakeable: Bool
    ) throws(IMAPError) -> Arrival {
        if case .complete = phase { begin() }
        while true {
            if try advance(stream.peer) { return .response }
            makeRoom()
            let free = UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end)
            switch try stream.read(into: free, deadline: deadline(timeout), wakeable: wakeable) {
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
                    remedy: "it is reopened automatically")
            }
        }
    }

    /// Limits ``ReadTimeout/idle(_:)``: it also fails if fewer than ``WireLimits/progressBytes`` arrive within `span`
    /// and this is not called again. A server that sends a byte now and then makes no progress.
    mutating func expectProgress(within span: Duration) { progress = (span, received, .after(span)) }

    private func deadline(_ timeout: ReadTimeout) -> Deadline {
        switch timeout {
        case .deadline(let deadline): deadline
        case .idle(let duration): min(.after(duration), progress?.until ?? .after(duration))
        }
    }

    /// Removes and returns the bytes received after the current response, for example the first compressed ones.
    mutating func removeUnread() -> [UInt8] {
        guard case .complete = phase else { return [] }
        defer { end = scan }
        return Array(UnsafeRawBufferPointer(start: base + scan, count: end - scan))
    }

    /// Frees memory before a long wait.
    mutating func shrink() {
        standard = Self.idleCapacity
        if case .complete = phase { begin() }
        if start == end, capacity > standard { reallocate(standard) }
    }

    /// Uses the large buffer again, for a command.
    mutating func grow() { standard = Self.workingCapacity }

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

    /// Scans the received bytes.
    ///
    /// - Returns: true if a response is complete.
    private mutating func advance(_ peer: String) throws(IMAPError) -> Bool {
        while true {
            switch phase {
            case .complete: return true
            case .literal(let keep, let drop): guard scanLiteral(keep: keep, drop: drop) else { return false }
            case .line: guard try scanLine(peer) else { return false }
            }
        }
    }

    /// - Returns: false if the literal needs more bytes.
    private mutating func scanLiteral(keep: Int, drop: Int) -> Bool {
        let kept = min(keep, end - scan)
        scan += kept
        if kept < keep {
            phase = .literal(keep: keep - kept, drop: drop)
            return false
        }
        let dropped = min(drop, end - scan)
        if dropped > 0 {
            memmove(base + scan, base + scan + dropped, end - scan - dropped)
            end -= dropped
        }
        phase = dropped < drop ? .literal(keep: 0, drop: drop - dropped) : .line
        return dropped == drop
    }

    /// - Returns: false if the line needs more bytes.
    private mutating func scanLine(_ peer: String) throws(IMAPError) -> Bool {
        let from = scan + searched
        guard let newline = memchr(base + from, 0x0A, end - from) else {
            searched = end - scan
            try checkLength(lineBytes + searched, peer)
            return false
        }
        let lineStart = scan
        scan = UnsafeRawPointer(newline) - UnsafeRawPointer(base) + 1
        searched = 0
        lineBytes += scan - lineStart
        try checkLength(lineBytes, peer)
        guard let size = literalSize(lineStart) else {
            phase = .complete
            return true
        }
        guard size <= WireLimits.literalBytes else {
            throw IMAPError(
                .limit, retry: .later, what: "\(peer) announced a literal of \(size) bytes",
                remedy: "the server is at fault; its log may have details")
        }
        let kept = min(size, keepLeft)
        keepLeft -= kept
        if kept < size { cuts.append(Cut(offset: scan - start, kept: kept)) }
        phase = .literal(keep: kept, drop: size - kept)
        return true
    }

    private func checkLength(_ bytes: Int, _ peer: String) throws(IMAPError) {
        guard bytes > WireLimits.responseBytes, bytes > lineLimit else { return }
        throw IMAPError(
            .limit, retry: .later, what: "\(peer) sent a line of more than \(lineLimit) bytes",
            remedy: "check that this is an IMAP server; its log may have details")
    }

    /// The `n` of `{n}` or `{n+}` at the end of the line `lineStart..<scan`; `nil` without one. Also `nil` in responses
    /// that end with human-readable text (`* OK`, `* BYE`, tagged ones, `+`), in which braces have no meaning.
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

    /// Compares without regard to case; `prefix` is upper case.
    private func starts(with prefix: StaticString) -> Bool {
        guard end - start >= prefix.utf8CodeUnitCount else { return false }
        let bytes = UnsafeRawBufferPointer(start: base + start, count: prefix.utf8CodeUnitCount)
        for index in bytes.indices {
            let byte = bytes[index]
            if ((0x61...0x7A).contains(byte) ? byte & 0xDF : byte) != prefix.utf8Start[index] { return false }
        }
        return true
    }

    /// Makes room for the next read: moves the response to the front, and grows the buffer if the response alone does
    /// not fit.
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
