import Access
import Chronology
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Ledger
import Store

@testable import Web

extension Site {
    /// Adds a user with the passphrase of the tests.
    func add(_ name: String, _ role: Role) throws -> UserRow {
        let user = try store.access.addUser(named: name, role, at: now)
        try setPassphrase(of: user.id)
        return try store.access.user(user.id) ?? user
    }

    /// Some rows of each kind that pages show.
    func fill() throws {
        for uid in UInt32(1)...6 {
            try store.recordAlert(uid, merchant: "CORNER CAFE \(uid % 2)", 10_000 + Int64(uid), waits: uid > 4)
        }
        try store.recordAlert(7, merchant: "SALARY", 500_000, type: .income)
    }

    /// All pages that can be reached by links from the first one, and from `more`, by their addresses.
    func crawl(
        _ client: any TestClientProtocol, cookie: String, more: [String] = [], atMost limit: Int = 600
    ) async throws -> [String: TestResponse] {
        var pages: [String: TestResponse] = [:]
        var rest = ["/", "/app/settings", "/app/history", "/app/statements", "/app/searches", "/app/columns"] + more
        // Lists differ by their filters only: some of each are enough.
        var seen: [String: Int] = [:]
        while let path = rest.popLast() {
            let base = String(path.prefix { $0 != "?" })
            guard pages[path] == nil, pages.count < limit, seen[base, default: 0] < 6 || more.contains(path) else {
                continue
            }
            seen[base, default: 0] += 1
            let page = try await client.ask(.get, path, cookie: cookie, [.accept: "text/html"])
            pages[path] = page
            guard page.headers[.contentType]?.hasPrefix("text/html") ?? false else { continue }
            for link in page.text.matches(of: #/href="(\/(?:app\/)?[^"\#]*)"/#) {
                let target = String(link.1).replacing("&amp;", with: "&").replacing("&#x3D;", with: "=")
                if target == "/" || target.hasPrefix("/app/") { rest.append(target) }
            }
        }
        return pages
    }
}
