import Codecs
import Foundation
import HTTPTypes
import Testing

@testable import Web

/// docs/api.md names every route of the API and no other, and its requests are of these routes.
@Suite struct APIPageTests {
    struct Route: Hashable, CustomStringConvertible {
        var method: String
        var path: String
        var description: String { "\(method) \(path)" }

        /// True if the path of a request, without its query, is one of this route.
        func serves(_ method: String, _ path: some StringProtocol) -> Bool {
            let names = self.path.split(separator: "/", omittingEmptySubsequences: false)
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            return method == self.method && names.count == parts.count
                && zip(names, parts).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
        }
    }

    static let remedy = "run scripts/api-document"

    static func page() throws -> [String] {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/api.md").standardized
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    static func described() throws -> Set<Route> {
        guard case .object(let paths)? = OpenAPI.document(version: "1", asksForLogin: true)["paths"] else { return [] }
        return Set(
            paths.flatMap { path, item -> [Route] in
                guard case .object(let operations) = item else { return [] }
                return operations.map { Route(method: $0.0.uppercased(), path: path) }
            })
    }

    /// The rows of its tables: | GET | `/transactions/` | … |
    static func listed() throws -> [Route] {
        try page().compactMap { line in
            let cells = line.components(separatedBy: " | ")
            guard cells.count >= 3, cells[0].hasPrefix("| "), cells[1].hasPrefix("`/") else { return nil }
            return Route(method: String(cells[0].dropFirst(2)), path: cells[1].trimmingCharacters(in: ["`"]))
        }
    }

    @Test func everyRouteIsListedOnce() throws {
        let (listed, described) = (try Self.listed(), try Self.described())
        #expect(described.count > 100)
        #expect(described.subtracting(listed).isEmpty, "not listed: \(Self.remedy)")
        #expect(Set(listed).subtracting(described).isEmpty, "no such route: \(Self.remedy)")
        #expect(Set(listed).count == listed.count)
    }

    @Test func everyRequestIsOfARoute() throws {
        let described = try Self.described()
        let requests = try Self.page().filter { $0.hasPrefix("    curl ") }
        #expect(requests.count > 25)
        for request in requests {
            let address = try #require(request.components(separatedBy: "\"$API").last, "\(request)")
            let path = address.prefix { $0 != "?" && $0 != "\"" }
            let words = request.components(separatedBy: " ")
            let method =
                words.firstIndex(of: "-X").map { words[$0 + 1] } ?? (words.contains("--json") ? "POST" : "GET")
            #expect(described.contains { $0.serves(method, path) }, "\(request)")
            // /openapi.json names lists with a slash at the end, the table of routes without.
            let endpoint = APIRoutes.endpoints.first { endpoint in
                ["", "/"].contains {
                    Route(method: endpoint.method.rawValue, path: endpoint.path + $0).serves(method, path)
                }
            }
            let known = Set(endpoint?.parameters.filter { $0.place == .query }.map(\.name) ?? [])
            let query = address.dropFirst(path.count + 1).prefix { $0 != "\"" }
            let names = query.split(separator: "&").compactMap { $0.split(separator: "=").first.map(String.init) }
            #expect(known.isSuperset(of: names), "\(request): \(names)")
        }
    }
}
