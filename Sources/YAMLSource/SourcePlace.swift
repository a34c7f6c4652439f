/// A place in a file that a person wrote, kept for an error that is detected later.
public struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    private let error: SourceError

    /// `FILE:LINE`.
    public var description: String { error.line > 0 ? "\(error.file):\(error.line)" : error.file }

    public var file: String { error.file }

    init(_ error: SourceError) { self.error = error }

    public func error(_ message: String, remedy: String? = nil) -> SourceError {
        var error = error
        error.message = message
        error.remedy = remedy
        return error
    }
}

extension YAMLNode {
    public var place: SourcePlace { SourcePlace(error("")) }
}
