import Access
import Store

/// The caller of a page.
extension WebContext {
    /// The token that a form must send back as `csrf`.
    var formToken: String { identity.formToken }
    /// True if there is a login that can be ended.
    var isLoggedIn: Bool { identity.kind == .person }
    /// The caller, for the journal of changes.
    var actor: Actor { Actor(identity.id == nil || isLoggedIn ? .page : .client, identity.name, user: identity.user) }
}
