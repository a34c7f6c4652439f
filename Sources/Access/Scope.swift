/// Permission of a token or a user. `admin` includes the other scopes; no other scope includes one.
public enum Scope: String, CaseIterable, Sendable {
    /// Reading of everything.
    case read
    /// Changes of transactions, categories, accounts and devices.
    case write
    /// Decisions on review items.
    case review
    /// Reading of the calendar of payments to come. The only scope whose token may be part of an address.
    case calendar
    /// Passing on of SMS from a phone.
    case shortcut
    /// Management of access to the web role, and all other permissions.
    case admin
}

/// A set of scopes, written as comma-separated names.
public struct Scopes: Hashable, Sendable, CustomStringConvertible {
    private let members: Set<Scope>

    public static let none = Scopes([])
    public static let all = Scopes(Set(Scope.allCases))
    /// Permission of a token in the address of a calendar feed.
    public static let calendar = Scopes([.calendar])
    /// Permissions of a paired device.
    public static let daily = Scopes([.read, .write, .review])

    public init(_ members: Set<Scope>) { self.members = members }

    /// - Returns: `nil` for an unknown name or an empty list.
    public init?(_ text: String) {
        var members: Set<Scope> = []
        for word in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            guard let scope = Scope(rawValue: String(word)) else { return nil }
            members.insert(scope)
        }
        guard !members.isEmpty else { return nil }
        self.members = members
    }

    public func allow(_ scope: Scope) -> Bool { members.contains(scope) || members.contains(.admin) }

    public var description: String { Scope.allCases.filter(members.contains).map(\.rawValue).joined(separator: ",") }
}
