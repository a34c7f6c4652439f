import YAMLSource

/// Folders of profile files in ascending precedence: files of a later folder replace those of an earlier one.
public struct ProfileFolders: Hashable, Sendable {
    /// The configured folders. A fault in them is an error.
    public var configured: [String]
    /// The last folder, which holds the templates that were activated on the page; `nil` if there is none.
    ///
    /// It holds templates only: files whose names begin with an underscore are ignored. It may be missing. What does
    /// not load is left out, see ``ProfileSet/leftOut``: an upgrade of the other profiles must not keep the daemon from
    /// starting.
    public var activated: String?

    public init(_ configured: [String], activated: String? = nil) {
        self.configured = configured
        self.activated = activated
    }

    /// True for the folder of activated templates and everything in it.
    func isActivated(_ path: String) -> Bool {
        activated.map { path == $0 || path.hasPrefix($0 + "/") } ?? false
    }
}

/// A file or folder of activated templates that is not used, with the reason.
public struct ActivatedFault: Hashable, Sendable, CustomStringConvertible {
    public let file: String
    public let message: String
    /// The reason with the place in the file and the remedy.
    public let description: String

    init(_ error: SourceError) {
        (file, message, description) = (error.file, error.message, error.description)
    }
}

extension ProfileFolders: ExpressibleByArrayLiteral {
    public init(arrayLiteral folders: String...) { self.init(folders) }
}
