import InternetMessage

/// Reads the attachments of a message, and its copy without their bodies, which arrives in pieces: both must have the
/// same text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let message = Message(parsing: bytes)
    let attachments = message.attachments(atMost: mostFiles, bytes: mostBytes)
    precondition(attachments.count <= mostFiles)
    for attachment in attachments { precondition(attachment.bytes?.count ?? 0 <= mostBytes) }
    let piece = Int(bytes.first ?? 0) % 100 + 1
    var filter = AttachmentFilter(limit: bytes.count)
    for offset in stride(from: 0, to: bytes.count, by: piece) {
        bytes[offset..<min(offset + piece, bytes.count)].withUnsafeBytes { filter.append($0) }
    }
    guard let copy = filter.finish() else { preconditionFailure("the copy is longer than the message") }
    precondition(copy.count <= bytes.count)
    precondition(Message(parsing: copy).text.bytes == message.text.bytes)
    return 0
}

fileprivate let mostFiles = 4
fileprivate let mostBytes = 4096
