/// What a user of the household may do. Every surface asks ``scopes``; no other place knows the roles.
public enum Role: String, CaseIterable, Sendable {
    /// Everything: users, tokens of others and settings, besides the books.
    case owner
    /// Changes of the books and decisions on review items.
    case editor
    /// Reading.
    case reader

    /// The permissions of a login, and the most that a token of the user has.
    public var scopes: Scopes {
        switch self {
        case .owner: .all
        case .editor: Scopes([.read, .write, .review, .calendar, .shortcut])
        case .reader: Scopes([.read, .calendar])
        }
    }
}

extension Scopes {
    /// The permissions of these scopes that the role has, too.
    public func limited(to role: Role) -> Scopes {
        role == .owner ? self : Scopes(Set(Scope.allCases.filter { allow($0) && role.scopes.allow($0) }))
    }
}
