import Chronology
import Glibc
import InternetMessage
import Ledger
import Profiles
import Settings

/// Decides the input as an alert of one of the shipped banks.
///
/// If the first line contains a colon, the input is a whole message. Otherwise the first line names the bank (an
/// unknown word selects one of them), the second is the subject and the rest the text: HTML if it begins with `<`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let first = bytes.prefix { $0 != 10 }
    let message = Message(
        parsing: first.contains(UInt8(ascii: ":"))
            ? Array(bytes) : mail(naming: first, bytes.dropFirst(first.count + 1)))
    for policy in [AuthenticationPolicy.unverified, .pinned(authservID: "mx.google.com")] {
        check(profiles.claim(message).decide(trusting: policy, receivedAt: UnixTime(seconds: 1_780_000_000)), message)
    }
    return 0
}

fileprivate func mail(
    naming name: Slice<UnsafeBufferPointer<UInt8>>, _ rest: Slice<UnsafeBufferPointer<UInt8>>
) -> [UInt8] {
    let sum = name.reduce(0) { $0 &* 31 &+ Int($1) }
    let bank =
        profiles.banks.first { $0.key.utf8.elementsEqual(name) }
        ?? profiles.banks[Int(sum.magnitude % UInt(profiles.banks.count))]
    let subject = rest.prefix { $0 != 10 }
    let text = rest.dropFirst(subject.count + 1)
    var mail = Array(
        "Date: Thu, 28 May 2026 22:00:00 +0530\nContent-Type: text/\(text.first == UInt8(ascii: "<") ? "html" : "plain"); charset=utf-8\nFrom: "
            .utf8)
    mail += (bank.addresses.min() ?? "alerts@\(bank.domains[0])").utf8
    mail += Array("\nSubject: ".utf8) + subject + [10, 10] + text
    return mail
}

/// Checks the invariants of a decision.
fileprivate func check(_ decision: Decision, _ message: Message) {
    precondition((0...1).contains(decision.confidence))
    switch decision.outcome {
    case .unclaimed: precondition(decision.profile == nil && decision.draft == nil)
    case .recorded:
        precondition(decision.draft != nil && decision.template != TemplateName.generic && message.from.count == 1)
    case .ignored, .quarantined, .failed: precondition(decision.draft == nil)
    case .review, .duplicate: break
    }
    guard let draft = decision.draft else { return }
    precondition(draft.amount.minorUnits >= 0 && draft.spans[.amount] != nil)
    let text = message.text.bytes
    for field in Field.allCases {
        guard let span = draft.spans[field] else { continue }
        precondition(span.lowerBound >= 0 && span.upperBound <= text.count)
        // No field begins or ends inside a character.
        precondition(String(validating: text[span], as: UTF8.self) != nil)
    }
    _ = decision.categorized(by: categories)
    precondition(!IdempotencyKey(bank: decision.profile ?? "", draft: draft, mailIdentity: "0").value.isEmpty)
}

fileprivate let parsers = getenv("SPENDWISE_PARSERS").map { String(cString: $0) } ?? "parsers"
fileprivate let profiles: ProfileSet = {
    do { return try ProfileSet(directories: [parsers], samples: false) } catch { fatalError("\(error)") }
}()
fileprivate let categories = CategoryRules([
    VendorMapping(id: 1, keyword: "cafe", categoryID: 1, category: "Food"),
    VendorMapping(id: 2, keyword: "metro rail", categoryID: 2, category: "Transport"),
])
