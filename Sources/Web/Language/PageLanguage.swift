import Access
import HTTPTypes
import Hummingbird

/// A language of the page.
enum PageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case hindi = "hi"

    /// The language of the request that this task answers; English for programs. Texts are made far below the request,
    /// so it is a value of the task instead of a parameter of every view.
    @TaskLocal static var current = PageLanguage.english

    /// The name of the language in itself.
    var name: String {
        switch self {
        case .english: "English"
        case .hindi: "हिन्दी"
        }
    }

    /// True if a text for one applies to the number (Unicode CLDR, plural rules of whole numbers).
    func isOne(_ number: Int) -> Bool {
        switch self {
        case .english: number == 1
        case .hindi: number == 0 || number == 1
        }
    }
}

extension PageLanguage: PageChoice {
    static let cookieName = "spendwise-language"

    /// The language that the person chose, otherwise the one that the browser prefers.
    init(_ request: Request) {
        self =
            Self.chosen(in: request) ?? PageLanguage(accepted: HeaderChoice(request.headers[values: .acceptLanguage]))
    }

    /// The language with the highest weight (RFC 9110, section 12.5.4); English if the header has none of them.
    init(accepted header: HeaderChoice) {
        let weights = Self.allCases.map { ($0, header.weight(language: $0.rawValue)) }
        self = weights.max { $0.1 < $1.1 }?.0 ?? .english
    }
}
