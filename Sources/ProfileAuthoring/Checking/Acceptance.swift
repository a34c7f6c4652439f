import Profiles
public import YAMLSource

/// Writes the values read from a sample into its file, as its `expect:`.
public enum Acceptance {
    /// Reason why nothing was written for a sample.
    public enum Refusal: Sendable {
        /// The expectation has other values.
        case differs
        /// The expectation contradicts the claim of the template: a fault of a pattern, not a value to be rewritten.
        case contradicts
        /// No expectation would be correct: the sample is claimed by several templates, or unreadable.
        case unreadable

        /// An explanation for the user.
        public var sentence: String {
            switch self {
            case .differs: "its 'expect:' differs: check the difference, then use --force to overwrite it"
            case .contradicts:
                "its 'expect:' and the template disagree about the claim: mend the pattern, or write 'expect:' by hand"
            case .unreadable:
                "nothing that could be written would hold: mend the pattern, or the templates that claim it beside its own"
            }
        }
    }

    public enum Answer {
        case nothingToDo
        /// The value to write.
        case write(YAMLValue)
        case refuse(Refusal)
    }

    /// - Parameter force: allows overwriting existing field values, but never whether the template claims the sample.
    public static func answer(to result: SampleResult, force: Bool) -> Answer {
        if result.holds { return .nothingToDo }
        switch (result.expected, result.got) {
        case (.none, _), (.ignored, _), (.fields, .some(.none)), (.fields, .some(.ignored)):
            return .refuse(.contradicts)
        case (.fields, .some(.notice)), (.notice, .some(.none)), (.notice, .some(.fields)):
            return .refuse(.contradicts)
        case (_, nil): return .refuse(.unreadable)
        case (.missing, let got?): return .write(got.yaml)
        case (.fields, let got?), (.notice, let got?): return force ? .write(got.yaml) : .refuse(.differs)
        }
    }

    /// Writes the value in place: comments, layout and every other byte stay. The file is read each time, so several
    /// samples of one file may follow each other; throws if the sample no longer exists.
    public static func write(_ value: YAMLValue, for result: SampleResult) throws(SourceError) {
        let file = try YAMLFile(path: result.path)
        let samples = try file.root().mapping().require("samples").list()
        guard samples.indices.contains(result.index), let name = try samples[result.index].mapping()["name"]?.string(),
            name == result.sample
        else {
            throw SourceError(
                file: result.path, message: "the sample '\(result.sample)' is not where it was",
                remedy: "The file has changed: run the command again.")
        }
        let edited = try file.setting("expect", of: [.key("samples"), .item(result.index)], to: value)
        try edited.replace(file)
    }
}
