import Access
import Store

/// Who asks, as far as the page is concerned.
extension WebContext {
    /// What a form must send back as `csrf`.
    var formToken: String { identity.formToken }
    /// Whether there is a login that can be ended.
    var isLoggedIn: Bool { identity.kind == .person }
    /// For the journal of changes.
    var actor: Actor { Actor(.page, identity.name) }
}
