import InternetMessage
import JSONText
import Profiles
import Store

/// For mails that no template claims: which template came nearest, at which words it stopped, and what is worded otherwise than in the last mail
/// that it claimed. Reads the kept bytes of one mail of each.
struct NearestTemplate {
    let store: Store
    let profiles: ProfileSet?
    /// The templates that ever claimed a mail, by bank: of a changed form, one of these is the old one.
    let used: [String: Set<String>]

    init(store: Store, profiles: ProfileSet?, drift: Drift) {
        self.store = store
        self.profiles = profiles
        used = Dictionary(grouping: drift.templates, by: \.bank).mapValues { Set($0.map(\.template)) }
    }

    enum Answer {
        /// The mail's bytes are not kept any more, or no profiles are to be had.
        case gone
        /// The profiles were mended since.
        case claimed(String)
        /// No template followed the text for a single word.
        case none
        case near(Near)
    }

    struct Near {
        var template: String
        var step: String
        var matched: String?
        var stopped: String?
        /// Words of the last mail that the template claimed which this one lacks, and the other way round; empty where no such mail is kept.
        var missing: [String] = []
        var new: [String] = []
    }

    func look(at shape: Drift.Shape) -> Answer {
        guard let profiles, let bytes = try? store.raw(ofMail: shape.example) else { return .gone }
        let claim = profiles.claim(Message(parsing: bytes))
        let all = claim.explain()
        let before = all.filter { used[shape.bank]?.contains($0.template) ?? false && $0.rank > 0 }
        guard
            let first = all.first(where: { $0.step == .claims })
                ?? (before.isEmpty ? all : before).max(by: { $0.rank < $1.rank })
        else { return .none }
        if first.step == .claims { return .claimed(first.template) }
        guard first.rank > 0 else { return .none }
        var near = Near(
            template: first.template, step: first.step.rawValue, matched: first.matched, stopped: first.stoppedAt)
        if let last = try? store.lastMail(ofTemplate: first.template, bank: shape.bank),
            let bytes = try? store.raw(ofMail: last)
        {
            let (old, now) = (profiles.claim(Message(parsing: bytes)).shapeWords(), claim.shapeWords())
            near.missing = Self.others(old, than: now)
            near.new = Self.others(now, than: old)
        }
        return .near(near)
    }

    /// Each once, in their order.
    private static func others(_ words: [String], than others: [String]) -> [String] {
        var seen = Set(others)
        return words.filter { seen.insert($0).inserted }
    }
}

extension TemplateExplanation {
    /// How far it came, in bytes of the text.
    fileprivate var rank: Int { step == .claims ? .max : matched?.utf8.count ?? 0 }
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
