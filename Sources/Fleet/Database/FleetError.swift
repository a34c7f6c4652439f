/// A fault of a fleet that an operator has to know: what happened, and the remedy.
public struct FleetError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
