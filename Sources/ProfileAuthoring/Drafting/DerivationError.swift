public import Profiles

/// Why no template could be made of the mails given.
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
