/// A packed file that cannot be read, or is not read further.
public struct PackedFileError: Error, Hashable, CustomStringConvertible, Sendable {
    public let description: String

    init(_ description: String) { self.description = description }
}
