package import PCRE2

/// A pattern of `_generic.yaml` or `_doubts.yaml`, with its samples.
package struct WordingPattern: Sendable {
    package struct Sample: Sendable {
        package enum Expectation: Sendable {
            /// The pattern does not match.
            case none
            case match
            /// The pattern matches, and each of these groups has this text.
            case groups([String: String])
        }

        package let text: String
        package let expectation: Expectation
        package let line: Int
    }

    /// The names of the file and of the pattern, such as `_generic/money`.
    package let name: String
    package let pattern: Pattern
    /// Empty if the profiles are loaded without samples.
    package let samples: [Sample]
    package let path: String
    package let line: Int
    /// False for a pattern that is run on a few words around an amount only, so that long hostile text cannot stall it.
    package let readsWholeText: Bool
}
