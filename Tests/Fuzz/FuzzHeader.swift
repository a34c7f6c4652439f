import InternetMessage

/// Reads the input as the header of a message: the mailboxes of From, the Date, and the results of a provider's checks
/// (RFC 8601), and the ARC sets of forwarders (RFC 8617); its first line as the header of an SMS. Then the same header
/// below the field of a foreign server, where no result of it may count any more.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let message = Message(parsing: bytes)
    for mailbox in message.from {
        precondition(!mailbox.localPart.isEmpty && !mailbox.domain.isEmpty)
        // As a byte: a combining mark after it makes another character of it.
        precondition(mailbox.addrSpec.utf8.contains(UInt8(ascii: "@")))
    }
    precondition(!message.subject.utf8.contains(10))
    if let name = message.authservID { precondition((1...100).contains(name.utf8.count)) }
    _ = message.date?.day
    for policy in policies {
        let verdict = message.authentication(policy)
        precondition(!verdict.description.isEmpty)
        if verdict.isAccepted { precondition(message.from.count == 1) }
    }
    if let voucher = try? message.voucher(by: forwarders) {
        precondition(forwarders.contains(voucher.forwarder) && message.from.count == 1)
        precondition(message.sealers.contains(voucher.forwarder))
    }
    if let header = SMSHeader(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)) {
        precondition(SMSHeader(header.description) == header && header.description.utf8.count <= SMSHeader.maximumBytes)
    }
    let forwarded = Message(parsing: foreignHop + bytes)
    for policy in policies { precondition(!forwarded.authentication(policy).isAccepted) }
    return 0
}

fileprivate let policies: [AuthenticationPolicy] = [
    .pinned(authservID: "mx.home.example"), .pinned(authservID: "mx.google.com"), .pinned(authservID: "outlook.com"),
    .pinned(authservID: "*.home.example"),
]

fileprivate let forwarders = ["lists.example", "home.example"]

/// The second field ends the first one, whatever follows.
fileprivate let foreignHop = Array(
    "Received: from a.example by mail.foreign.com with ESMTP; Thu, 28 May 2026 22:00:00 +0530\nX-End: 1\n".utf8)
