public import Review

/// Writes and removes template files. The program decides where profiles are and how the daemon learns of them.
public struct TemplateFiles {
    /// Writes a template and decides the retained mail again by it. Returns the result in a sentence.
    public var write: (TemplateEditor.Proposal) throws -> String
    /// Removes the template's file and decides the retained mail again without it. Returns the result in a sentence.
    public var remove: (TemplateEditor.Proposal) throws -> String

    public init(
        write: @escaping (TemplateEditor.Proposal) throws -> String,
        remove: @escaping (TemplateEditor.Proposal) throws -> String
    ) {
        self.write = write
        self.remove = remove
    }
}
