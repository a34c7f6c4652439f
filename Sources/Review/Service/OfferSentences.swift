internal import Ledger
public import Store

extension CategoryOffer {
    /// The question to a person, in one sentence.
    public var sentence: String {
        let what = kind == .vpa ? "the UPI address \(keyword)" : "\"\(keyword)\""
        let past = PastRows(count: count, waiting: waitingCount).sentence("changes", "change")
        return "always \(category + (subcategory.map { " / \($0)" } ?? "")) for \(what)? (\(past))"
    }
}

extension AliasOffer {
    /// The question to a person, in one sentence.
    public var sentence: String {
        let what = kind == .vpa ? "the UPI address \(alias)" : "\"\(alias)\""
        let past = PastRows(count: count, waiting: waitingCount).sentence("gets it", "get it")
        return "always the payee \(payee) for \(what)? (\(past))"
    }
}

/// The rows that an offer would change, in words.
fileprivate struct PastRows {
    var count: Int
    /// Number of these that are not booked.
    var waiting: Int

    func sentence(_ one: String, _ many: String) -> String {
        let parts = [
            Self.part(count - waiting, "booked so far", one, many), Self.part(waiting, "waiting for review", one, many),
        ].compactMap { $0 }
        return parts.isEmpty ? "nothing booked so far changes" : parts.joined(separator: ", ")
    }

    private static func part(_ count: Int, _ what: String, _ one: String, _ many: String) -> String? {
        switch count {
        case 0: nil
        case 1: "one transaction \(what) \(one)"
        default: "\(count) transactions \(what) \(many)"
        }
    }
}

extension ProfileFix {
    /// The offer to a person, in one sentence.
    public var sentence: String {
        let what = fields.map(\.rawValue).joined(separator: ", ")
        guard let template else {
            return "no template reads this mail; one can be derived from it and from your corrections (\(what))"
        }
        return "the template \(template) read \(what) differently; it can be mended by your correction"
    }
}
