import Profiles
import YAMLSource

/// A template that claims mails of another kind, with an exception for them: one more alternative of its
/// `unless_pattern` or `unless_subject_pattern`, and a sample that it must not claim.
struct TemplateException {
    let template: String
    let file: YAMLFile

    /// - Throws: ``DerivationError`` if the file cannot be edited.
    init(template: String, of profiles: ProfileSet, in folders: ProfileFolders) throws(DerivationError) {
        guard let file = profiles.file(ofTemplate: template, in: folders) else {
            throw DerivationError(
                .notProvable, "there is no file of the template \(template)",
                remedy: "It may be made of an account: change that under /accounts.")
        }
        self.template = template
        self.file = file
    }

    /// The unchanged text of the file.
    var text: String { String(decoding: file.bytes, as: UTF8.self) }

    /// The part of a mail by which it is excepted, as a key of `match`.
    enum Part: String {
        case text = "unless_pattern"
        case subject = "unless_subject_pattern"
    }

    /// The file with the exception.
    func yaml(
        _ pattern: String, on part: Part, _ sample: TemplateDraft.WrittenSample?
    ) throws(DerivationError) -> String {
        do {
            let text = try withPattern(pattern.split(separator: "\n").joined(separator: " "), part.rawValue)
            return try sample.map { try TemplateMending.withSample($0.yaml, in: text) } ?? text
        } catch {
            throw DerivationError(
                .notProvable, "\(file.path): no exception can be added to it: \(error)",
                remedy: "Write it by hand, under match: \(part.rawValue).")
        }
    }

    private func withPattern(_ pattern: String, _ key: String) throws -> String {
        func text(_ edited: YAMLFile) -> String { String(decoding: edited.bytes, as: UTF8.self) }
        guard let match = try file.root().mapping()["match"] else {
            let value = YAMLValue.fields([YAMLValue.Pair(key, .text(pattern))])
            return text(try file.setting("match", of: [], to: value))
        }
        let map = try match.mapping()
        guard let old = try map[key]?.string() else {
            return text(try file.setting(key, of: [.key("match")], to: .text(pattern)))
        }
        let whole = old + "\n| " + pattern
        let oneLine = YAMLValue.text(whole.split(separator: "\n").joined(separator: " "))
        if let edited = try? file.setting(key, of: [.key("match")], to: oneLine) { return text(edited) }
        guard let place = map.keys.first(where: { $0.name == key })?.place else { return text(file) }
        // A block: its lines are rewritten.
        var lines = TemplateMending.lines(file)
        let indentation = place.column - 1
        let end = TemplateMending.end(of: place.line - 1, indentation, lines, listMayStandThere: false)
        let new =
            [TemplateMending.blanks(indentation) + "\(key): |-"]
            + whole.split(separator: "\n").map { TemplateMending.blanks(indentation + 2) + $0.drop { $0 == " " } }
        lines.replaceSubrange((place.line - 1)..<end, with: new)
        return lines.joined(separator: "\n")
    }
}
