import InternetMessage
import JSONText
import Profiles
import Store

/// For mails that no template claims: which template came nearest, and at which words it stopped. Reads the kept bytes of one such mail.
struct NearestTemplate {
    let store: Store
    let profiles: ProfileSet?

    enum Answer {
        /// The mail's bytes are not kept any more, or no profiles are to be had.
        case gone
        /// The profiles were mended since.
        case claimed(String)
        /// No template followed the text for a single word.
        case none
        case near(String, step: String, matched: String?, stopped: String?)
    }

    func look(at shape: Drift.Shape) -> Answer {
        guard let profiles, let bytes = try? store.raw(ofMail: shape.example) else { return .gone }
        guard let first = profiles.claim(Message(parsing: bytes)).explain().max(by: { $0.rank < $1.rank }) else { return .none }
        if first.step == .claims { return .claimed(first.template) }
        guard first.rank > 0 else { return .none }
        return .near(first.template, step: first.step.rawValue, matched: first.matched, stopped: first.stoppedAt)
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
        case .near(let template, let step, let matched, let stopped):
            .object([("template", .string(template)), ("step", .string(step)), ("matched", JSON(matched)), ("stopped_at", JSON(stopped))])
        }
    }
}
