import InternetMessage
import Ledger
import PCRE2

extension Failure {
    init(_ error: MatchError) {
        switch error.limit {
        case .match: self = .patternLimit(.match)
        case .depth: self = .patternLimit(.depth)
        case .heap: self = .patternLimit(.heap)
        case nil: self = .pattern(error.description)
        }
    }

    init(_ limit: MessageLimits.Name) {
        switch limit {
        case .messageBytes: self = .messageLimit(.messageBytes)
        case .headerBytes: self = .messageLimit(.headerBytes)
        case .mimeDepth: self = .messageLimit(.mimeDepth)
        case .partCount: self = .messageLimit(.partCount)
        case .textPartBytes: self = .messageLimit(.textPartBytes)
        case .renderedTextBytes: self = .messageLimit(.renderedTextBytes)
        case .elementDepth: self = .messageLimit(.elementDepth)
        }
    }
}
