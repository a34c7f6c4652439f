import Profiles

/// Reason why no template could be derived from the given mails.
public struct DerivationError: Error, Sendable, CustomStringConvertible {
    public enum Cause: String, Sendable {
        case missingValue, valueNotFound, ambiguous, unlike, tooFewWords, notProvable, `internal`
    }

    public var cause: Cause
    public var message: String
    public var remedy: String?

    public init(_ cause: Cause, _ message: String, remedy: String? = nil) {
        self.cause = cause
        self.message = message
        self.remedy = remedy
    }

    public var description: String { message + (remedy.map { "\n\($0)" } ?? "") }
}
