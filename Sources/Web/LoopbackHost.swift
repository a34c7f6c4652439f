import Hummingbird

/// Refuses requests for another host name than the loopback's: a page elsewhere could have its own name point here (DNS rebinding).
struct LoopbackHost<Context: RequestContext>: RouterMiddleware {
    func handle(_ request: Request, context: Context, next: (Request, Context) async throws -> Response) async throws -> Response {
        guard isLoopback(authority: request.head.authority ?? "") else { throw HTTPError(.misdirectedRequest, message: "this name is not served here") }
        return try await next(request, context)
    }
}

/// - Parameter authority: of the Host header: a name or address, perhaps with a port.
func isLoopback(authority: String) -> Bool {
    var host = authority[...]
    if host.hasPrefix("[") {
        host = host.dropFirst().prefix { $0 != "]" }
    } else {
        host = host.prefix { $0 != ":" }
    }
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
}
