internal import Ledger
public import Store

extension CategoryOffer {
    /// The question to a person, in one sentence.
    public var sentence: String {
        let what = kind == .vpa ? "the UPI address \(keyword)" : "\"\(keyword)\""
        let past =
            count == 0
            ? "nothing booked so far changes"
            : count == 1 ? "one transaction booked so far changes" : "\(count) transactions booked so far change"
        return "always \(category + (subcategory.map { " / \($0)" } ?? "")) for \(what)? (\(past))"
    }
}

extension AliasOffer {
    /// The question to a person, in one sentence.
    public var sentence: String {
        let what = kind == .vpa ? "the UPI address \(alias)" : "\"\(alias)\""
        let past = count == 1 ? "one transaction booked so far gets" : "\(count) transactions booked so far get"
        return "always the payee \(payee) for \(what)? (\(count == 0 ? "nothing booked so far changes" : past + " it"))"
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
