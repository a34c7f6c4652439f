import Access
import HTTPTypes

/// Access rules by method and route template. The first matching row decides. Which of the scopes a user has is decided
/// by ``Role``.
struct AccessTable {
    enum Need: Equatable {
        /// No credential.
        case open
        /// No credential for JSON; the scope for an HTML page.
        case openAsJSON(Scope)
        /// No credential if only this machine can reach the port; otherwise the scope.
        case openOnLoopback(Scope)
        /// A login or a token of any scope.
        case anyone
        /// A login of any role, for what is the user's own; a token needs all rights.
        case person
        case scope(Scope)
    }

    private struct Row {
        /// Components of the template; `nil` matches every template.
        var path: [String]?
        /// True if more components may follow.
        var isPrefix: Bool
        /// `nil` matches every method.
        var methods: Set<HTTPRequest.Method>?
        var need: Need

        init(_ path: String?, _ methods: Set<HTTPRequest.Method>? = nil, _ need: Need) {
            let parts = path.map { $0.split(separator: "/").map(String.init) }
            isPrefix = parts?.last == "*" || path == nil
            self.path = parts.map { $0.last == "*" ? Array($0.dropLast()) : $0 }
            self.methods = methods
            self.need = need
        }
    }

    static let safe: Set<HTTPRequest.Method> = [.get, .head, .options]

    private static let rows: [Row] = [
        Row("/", safe, .openAsJSON(.read)),
        Row("/health", safe, .open),
        Row("/metrics", safe, .openOnLoopback(.read)),
        Row("/login", nil, .open),
        Row("/login/passkey", safe, .open),
        Row("/start", nil, .open),
        Row("/logout", nil, .open),
        Row("/pair", nil, .open),
        Row("/session", nil, .anyone),
        // Style sheet and script hold nothing private.
        Row("/static/*", safe, .open),
        Row("/favicon.ico", safe, .open),
        Row("/shortcuts/*", nil, .scope(.shortcut)),
        Row("/calendar.ics", safe, .scope(.calendar)),
        Row("/review/*", safe, .scope(.read)),
        Row("/review/*", nil, .scope(.review)),
        Row("/app/review/{id}/template", nil, .scope(.review)),
        Row("/app/review/*", safe, .scope(.read)),
        Row("/app/review/*", nil, .scope(.review)),
        Row("/mails/*", safe, .scope(.read)),
        Row("/mails/*", nil, .scope(.review)),
        Row("/app/mails/*", safe, .scope(.read)),
        Row("/app/mails/*", nil, .scope(.review)),
        Row("/app/banks/alarms", nil, .scope(.review)),
        // Change a cookie only.
        Row("/app/language", nil, .scope(.read)),
        Row("/app/theme", nil, .scope(.read)),
        // Forms that nobody fills in who only reads.
        Row("/app/transactions/new", nil, .scope(.write)),
        Row("/app/transactions/bulk", nil, .scope(.write)),
        Row("/app/mappings/*", nil, .scope(.write)),
        // The logins, passkeys and tokens of the user; those of others need all rights, which the routes check.
        Row("/app/settings", safe, .person),
        Row("/app/settings/passphrase", nil, .person),
        Row("/app/settings/passkeys/*", nil, .person),
        Row("/app/settings/sessions/*", nil, .person),
        Row("/app/settings/tokens/*", nil, .person),
        Row("/app/settings/pair", nil, .person),
        Row("/app/settings/*", nil, .scope(.admin)),
        // Dry runs, which change nothing.
        Row("/app/banks/test", nil, .scope(.read)),
        Row("/parsers/test", nil, .scope(.read)),
        Row("/categories/mappings/preview", nil, .scope(.read)),
        Row("/access/*", nil, .scope(.admin)),
        Row(nil, safe, .scope(.read)),
        Row(nil, nil, .scope(.write)),
    ]

    /// - Parameter template: the route's template, such as `/transactions/{id}`.
    static func need(_ method: HTTPRequest.Method, _ template: String) -> Need {
        let parts = template.split(separator: "/").map(String.init)
        let row = rows.first { row in
            guard row.methods?.contains(method) ?? true else { return false }
            guard let path = row.path else { return true }
            return row.isPrefix ? parts.starts(with: path) : parts == path
        }
        return row?.need ?? .scope(.admin)
    }
}
