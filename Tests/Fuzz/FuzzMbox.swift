import Chronology

/// Writes the input as a message of an mbox file: its separator must be the only one, and without the quoting it must
/// be the same. Then looks for separators in the input itself, cut anywhere. The sources are compiled into this
/// program.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let entry = MboxWriter.entry(bytes, date: UnixTime(seconds: 1_767_225_610))
    entry.withUnsafeBytes { entry in
        for at in lines(of: entry).dropFirst() {
            precondition(MboxSeparator.begins(entry, at, isWhole: true) == .no)
        }
    }
    let begin = (entry.firstIndex(of: 10) ?? 0) + 1
    let body = Array(entry[begin...])
    let read = body.withUnsafeBytes { MboxSeparator.unquoted($0) } ?? body
    precondition(read.starts(with: bytes) && read.dropFirst(bytes.count).allSatisfy { $0 == 10 })
    bytes.withUnsafeBytes { bytes in
        for at in lines(of: bytes) {
            let whole = MboxSeparator.begins(bytes, at, isFirst: at == 0, isWhole: true)
            precondition(whole != .unknown)
            // More bytes do not change an answer that was given with fewer.
            let cut = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, at + 40)])
            let early = MboxSeparator.begins(cut, at)
            if at > 0, early != .unknown { precondition(early == MboxSeparator.begins(bytes, at, isWhole: true)) }
        }
        _ = MboxSeparator.unquoted(bytes)
        precondition(!MailSigns.objection(to: bytes).isEmpty)
        _ = MailSigns.areIn(bytes)
    }
    return 0
}

/// Offsets at which a line begins.
fileprivate func lines(of bytes: UnsafeRawBufferPointer) -> [Int] {
    [0] + bytes.indices.dropLast().filter { bytes[$0] == 10 }.map { $0 + 1 }
}
