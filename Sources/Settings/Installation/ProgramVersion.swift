internal import CVersion

/// The version of both programs. `Sources/CVersion` holds it.
public enum ProgramVersion {
    /// The number alone, such as `0.1.0`.
    public static let number = SPENDWISE_VERSION

    /// The answer to `--version`.
    public static let text = text(commit: String(cString: spendwise_commit()))

    /// The number and, if it is known, the commit: `0.1.0 (7c9b5f05ab12)`.
    static func text(commit: String) -> String { commit.isEmpty ? number : "\(number) (\(commit))" }
}
