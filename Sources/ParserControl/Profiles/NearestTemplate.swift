import Codecs
import InternetMessage
import ProfileAuthoring
import Profiles
import Store

/// Finds the template that comes nearest to claiming the mails of a shape, the words at which it stops, and the words
/// that differ from the last mail that it claimed. Reads the retained bytes of one mail of the shape and of one claimed
/// mail.
struct NearestTemplate {
    let store: Store
    let profiles: ProfileSet?
    /// The templates that have claimed a mail, by bank: the old template of a changed form is among them.
    let used: [String: Set<String>]

    init(store: Store, profiles: ProfileSet?, drift: Drift) {
        self.store = store
        self.profiles = profiles
        used = Dictionary(grouping: drift.templates, by: \.bank).mapValues { Set($0.map(\.template)) }
    }

    enum Answer {
        /// The mail's bytes are not retained, or the profiles cannot be loaded.
        case gone
        /// The profiles were mended since.
        case claimed(String)
        /// No template matches even one word.
        case none
        case near(Near)
    }

    struct Near {
        var template: String
        var step: String
        var matched: String?
        var stopped: String?
        /// Words of the last mail that the template claimed and that this one lacks; empty if no such mail is retained.
        var missing: [String] = []
        /// Words that only this mail has.
        var new: [String] = []
    }

    func find(for shape: Drift.Shape) -> Answer {
        guard let profiles, let bytes = try? store.mails.raw(ofMail: shape.example) else { return .gone }
        let claim = profiles.claim(Message(parsing: bytes))
        let all = claim.explain().nearest
        let before = all.filter { used[shape.bank]?.contains($0.template) ?? false && $0.matched != nil }
        guard
            let first = all.first(where: { $0.step == .claims })
                ?? (before.isEmpty ? all : before).first(where: { $0.matched != nil })
        else { return .none }
        if first.step == .claims { return .claimed(first.template) }
        var near = Near(
            template: first.template, step: first.step.rawValue, matched: first.matched, stopped: first.stoppedAt)
        if let last = try? store.mails.latest(ofTemplate: first.template, bank: shape.bank),
            let bytes = try? store.mails.raw(ofMail: last)
        {
            let (old, now) = (profiles.claim(Message(parsing: bytes)).shapeWords(), claim.shapeWords())
            near.missing = Self.others(old, than: now)
            near.new = Self.others(now, than: old)
        }
        return .near(near)
    }

    /// The words that are not among `others`, each once, in their order.
    private static func others(_ words: [String], than others: [String]) -> [String] {
        var seen = Set(others)
        return words.filter { seen.insert($0).inserted }
    }
}

extension NearestTemplate.Answer {
    var json: JSON {
        switch self {
        case .gone, .none: .null
        case .claimed(let template): .object([("template", .string(template)), ("step", .string("claims"))])
        case .near(let near):
            .object([
                ("template", .string(near.template)), ("step", .string(near.step)), ("matched", JSON(near.matched)),
                ("stopped_at", JSON(near.stopped)),
                ("missing_words", .array(near.missing.map(JSON.string))),
                ("new_words", .array(near.new.map(JSON.string))),
            ])
        }
    }
}
