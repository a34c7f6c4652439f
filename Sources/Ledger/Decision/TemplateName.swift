/// The names under which decisions are recorded: a template's path under `parsers/` without its ending
/// (`hdfc/card-spend`), `accounts/ID` for a template of the API, or ``generic``.
public enum TemplateName {
    /// The name of the generic reader, which reads a bank's mail that no template claims.
    public static let generic = "generic"

    /// `name` if it is that of a template; `nil` if no template decided.
    public static func template(_ name: String?) -> String? { name == generic ? nil : name }
}
