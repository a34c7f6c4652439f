import Access
import HTTPTypes

/// Leaves forms out of a page whose caller may not send them, by ``AccessTable``: no template decides it, and none can
/// forget it.
enum PermittedForms {
    private static let start = #"<form method="post" action=""#
    private static let end = "</form>"

    /// Puts each form of a template that needs a scope into a section of `frame.may`.
    static func mark(_ template: String) -> String {
        var (result, rest) = ("", template[...])
        while let form = rest.firstRange(of: start), let last = rest[form.upperBound...].firstRange(of: end) {
            result += rest[..<form.lowerBound]
            let text = rest[form.lowerBound..<last.upperBound]
            let action = rest[form.upperBound...].prefix { $0 != "\"" }
            let name = permission(forPath: path(of: action))
            result += name.map { "{{#frame.may.\($0)}}\(text){{/frame.may.\($0)}}" } ?? String(text)
            rest = rest[last.upperBound...]
        }
        return result + rest
    }

    /// The path of an address without the tags of the template and without a query.
    private static func path(of action: Substring) -> String {
        var (path, rest) = ("", action)
        while let tag = rest.firstRange(of: "{{"), let end = rest[tag.upperBound...].firstRange(of: "}}") {
            path += rest[..<tag.lowerBound]
            // A number of the path has one component, as in the template of its route.
            if rest[tag.upperBound] != "#", rest[tag.upperBound] != "^", rest[tag.upperBound] != "/" { path += "{id}" }
            rest = rest[end.upperBound...]
        }
        return String((path + rest).prefix { $0 != "?" })
    }

    /// The property of ``PageFrame/Permissions``; `nil` if everybody who sees the page may send the form.
    private static func permission(forPath path: String) -> String? {
        switch AccessTable.need(.post, path) {
        case .scope(.write): "write"
        case .scope(.review): "review"
        case .scope(.admin): "admin"
        case .person: "person"
        case .scope, .open, .openAsJSON, .openOnLoopback, .anyone: nil
        }
    }
}
