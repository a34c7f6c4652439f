/// The reason why a command did nothing: something named does not exist, or its state does not allow the command.
/// Printed without the usage of the command; exit status 1.
public struct Refused: Error, CustomStringConvertible {
    /// The word for it in JSON.
    public enum Kind: String, Sendable {
        case refused
        /// A value cannot be used.
        case invalid
    }

    public let kind: Kind
    public let description: String

    public init(_ description: String, kind: Kind = .refused) {
        self.description = description
        self.kind = kind
    }
}
