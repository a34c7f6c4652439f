import Glibc
import InternetMessage

/// The part of a file in memory: one message of an mbox file and what was read after it. It only moves forward.
///
/// Of a message longer than `keep` only the beginning stays in memory.
struct FileWindow: ~Copyable {
    let keep: Int
    private let buffer: UnsafeMutableRawBufferPointer
    private var descriptor: Int32 = -1
    private var path = ""
    /// The file is a member of a packed file, and `descriptor` is not used.
    private var packed: (any PackedMembers)?
    /// The filled part of the buffer.
    private var start = 0
    private var end = 0
    /// The file's offset of the buffer's first byte.
    private var base: Int64 = 0
    private var isAtEnd = false
    /// Dropped bytes of the current message, after the first `keep`.
    private var passed = 0
    private var text = 0..<0
    /// Receives a message longer than `keep`.
    private var filter: AttachmentFilter?

    init(keep: Int) {
        self.keep = max(keep, 4096)
        // The system allocates pages when they are written.
        buffer = .allocate(byteCount: self.keep + 3 * MailReader.chunk, alignment: 4096)
    }

    deinit { buffer.deallocate() }

    mutating func attach(_ descriptor: Int32, _ path: String, at offset: Int64) {
        self.descriptor = descriptor
        self.path = path
        packed = nil
        (start, end, base, isAtEnd, passed, text) = (0, 0, offset, false, 0, 0..<0)
        (filter, mailWithoutAttachments) = (nil, nil)
    }

    /// Attaches the current member of a packed file.
    mutating func attach(_ packed: any PackedMembers, _ path: String) {
        attach(-1, path, at: 0)
        self.packed = packed
    }

    /// The bytes read and not yet consumed.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[start..<end]) }

    /// The current message, its whole length, and the offset of the byte after it.
    var mail: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[text]) }
    private(set) var mailSize: UInt64 = 0
    /// The current message, if it is longer than `keep` and its texts are not.
    private(set) var mailWithoutAttachments: [UInt8]?
    var mailEnd: Int64 { base + Int64(start) }

    /// Reads until `count` bytes are in memory, or to the end of the file.
    mutating func fill(_ count: Int) throws { while end - start < count, try more() {} }

    /// - Returns: false at the end of the file.
    mutating func more() throws -> Bool {
        if isAtEnd { return false }
        if buffer.count - end < MailReader.chunk {
            guard let address = buffer.baseAddress, start > 0 else { return false }
            memmove(address, address + start, end - start)
            base += Int64(start)
            end -= start
            start = 0
            if buffer.count - end < MailReader.chunk { return false }
        }
        if let packed {
            let free = UnsafeMutableRawBufferPointer(rebasing: buffer[end..<(end + MailReader.chunk)])
            let count: Int
            do { count = try packed.readMember(into: free) } catch { throw ArchiveFault(path, "\(error)") }
            end += count
            isAtEnd = count == 0
            return count > 0
        }
        // Most files are small and read by one call, without a second one that only finds the end.
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress.map { $0 + end }, MailReader.chunk)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, -1)
                continue
            }
            guard count >= 0 else { throw ArchiveFault(path) }
            end += count
            isAtEnd = count == 0
            return count > 0
        }
    }

    /// Reads the rest of a file that is one message longer than `keep`.
    ///
    /// - Returns: its length.
    mutating func readToEnd() throws -> UInt64 {
        var filter = AttachmentFilter(limit: keep)
        filter.append(bytes)
        var size = UInt64(end - start)
        while !isAtEnd {
            let before = end
            end = start + keep
            let from = end
            _ = try more()
            filter.append(UnsafeRawBufferPointer(rebasing: buffer[from..<end]))
            size += UInt64(end - from)
            end = isAtEnd ? before : end
        }
        mailWithoutAttachments = filter.finish()
        return size
    }

    /// Skips the separator at the front and finds the message after it. False at the end of the file.
    mutating func nextMail() throws -> Bool {
        while find("\n", in: bytes, from: 0) == nil, end - start < MboxSeparator.longest + 1, try more() {}
        guard end > start, let line = find("\n", in: bytes, from: 0) else { return false }
        // Offsets are relative to `start`, which moves with the buffer. The line end of the separator may precede the
        // next separator.
        let begin = line + 1
        var scan = line
        while true {
            if let at = find("\nFrom ", in: bytes, from: scan) {
                var answer =
                    at == line
                    ? MboxSeparator.begins(bytes, at + 1, isFirst: true, isWhole: isAtEnd)
                    : MboxSeparator.begins(bytes, at + 1, isWhole: isAtEnd)
                if answer == .unknown {
                    scan = try drop(begin, scanned: at)
                    if try more() { continue }
                    answer = MboxSeparator.begins(bytes, scan + 1, isWhole: true)
                    if answer == .yes { return found(begin, next: scan + 1) }
                    scan += 1
                    continue
                }
                if answer == .yes { return found(begin, next: at + 1) }
                scan = at + 1
                continue
            }
            // A separator may have been read in part.
            scan = try drop(begin, scanned: max(scan, end - start - 5))
            if try !more() { return found(begin, next: end - start) }
        }
    }

    /// Drops the scanned part of a message after its first `keep` bytes.
    ///
    /// - Returns: the new offset of `scanned`.
    private mutating func drop(_ begin: Int, scanned: Int) throws -> Int {
        // The bytes before a line decide whether it is a separator.
        let from = start + begin + keep
        let to = start + scanned - 3
        guard to - from >= MailReader.chunk, let address = buffer.baseAddress else { return scanned }
        pass(from..<to, of: start + begin)
        memmove(address + from, address + to, end - to)
        end -= to - from
        passed += to - from
        return scanned - (to - from)
    }

    private mutating func found(_ begin: Int, next: Int) -> Bool {
        var length = next - begin
        // The empty line before a separator is not part of the message.
        if length > 1, next < end - start || isAtEnd, bytes[next - 1] == 0x0A, bytes[next - 2] == 0x0A { length -= 1 }
        let kept = start + begin + keep
        if passed > 0 || length > keep { pass(kept..<max(start + begin + length, kept), of: start + begin) }
        mailWithoutAttachments = filter?.finish()
        filter = nil
        mailSize = UInt64(max(length, 0) + passed)
        text = (start + begin)..<(start + begin + min(max(length, 0), keep))
        start += next
        base += Int64(passed)
        passed = 0
        return true
    }

    /// Passes bytes after the first `keep` of a message to the filter.
    private mutating func pass(_ range: Range<Int>, of begin: Int) {
        var filter = self.filter ?? AttachmentFilter(limit: keep)
        if self.filter == nil { filter.append(UnsafeRawBufferPointer(rebasing: buffer[begin..<(begin + keep)])) }
        self.filter = nil
        filter.append(UnsafeRawBufferPointer(rebasing: buffer[range]))
        self.filter = filter
    }
}
