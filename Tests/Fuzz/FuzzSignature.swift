import Chronology
import DKIM
import InternetMessage

/// Verifies a mail, with the record of the key that the resolver would answer for every name: the first line of the
/// input is the record, the rest is the mail. No name is looked up.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let record = bytes.prefix { $0 != 10 }
    let mail = Array(bytes.dropFirst(record.count + 1))
    let verifier = SignatureVerifier(keys: OneKey(record: Array(record)))
    let message = Message(parsing: mail)
    let results = verifier.results(of: message, receivedAt: arrival, extent: .all)
    precondition(results.count <= 8)
    let isAuthentic = verifier.finding(results, receivedAt: arrival) == .pass
    let isVouched: Bool
    switch verifier.finding(for: message, vouchedBy: forwarders, receivedAt: arrival) {
    case .vouched(let forwarder):
        precondition(forwarders.contains(forwarder))
        isVouched = true
    case .unsealed, .refused, .undecided, .notChecked: isVouched = false
    }
    guard isAuthentic || isVouched else { return 0 }
    // Text that somebody appends is covered by no signature that holds.
    precondition(message.from.count == 1)
    let altered = Message(parsing: mail + Array("\r\n\r\nRs.9.00 was debited\r\n".utf8))
    let again = verifier.results(of: altered, receivedAt: arrival, extent: .all)
    precondition(verifier.finding(again, receivedAt: arrival) != .pass)
    if case .vouched = verifier.finding(for: altered, vouchedBy: forwarders, receivedAt: arrival) {
        preconditionFailure("an altered mail is vouched for")
    }
    return 0
}

/// Of the mails in `Tests/DKIMTests/Fixtures`, which are seeds.
fileprivate let arrival = UnixTime(seconds: 1_767_597_000)
fileprivate let forwarders = ["lists.example", "home.example"]

fileprivate struct OneKey: KeySource {
    let record: [UInt8]

    func answers(for names: [KeyName]) -> [KeyAnswer] { names.map { _ in .record(record) } }
}
