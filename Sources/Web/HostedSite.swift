import Access
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// One ledger of a server that serves many: its routes with their guards, and what runs beside them.
public final class WebSite: Sendable {
    /// Requests at a time. Each may wait for the ledger on a thread, of which the server has a limited number.
    static let mostRequests = 32

    private let services: WebServices
    private let responder: RouterResponder<WebContext>
    private let group: ServiceGroup
    private let requests = Atomic(0)

    public init(_ services: WebServices) {
        self.services = services
        responder = WebApplication.router(services).buildResponder()
        var quiet = services.logger
        quiet.logLevel = .warning
        group = ServiceGroup(services: [services.access.audit, services.events], logger: quiet)
    }

    /// True while a request is answered or an open page waits for changes.
    public var isInUse: Bool { requests.load(ordering: .relaxed) > 0 || isWatched }

    /// True while an open page waits for changes of the ledger.
    public var isWatched: Bool { services.events.count > 0 }

    /// Writes the audit log and the times of logins until ``end()``.
    public func run() async throws { try await group.run() }

    /// Ends ``run()`` once what is waiting is written.
    public func end() async { await group.triggerGracefulShutdown() }

    /// Ends the streams of open pages. A browser connects again after some seconds.
    public func disconnectPages() { services.events.endAll() }

    func respond(to request: Request, context: WebContext) async throws -> Response {
        defer { requests.subtract(1, ordering: .relaxed) }
        guard requests.add(1, ordering: .relaxed).newValue <= Self.mostRequests else { throw SiteFault.unavailable }
        return try await responder.respond(to: request, context: context)
    }
}

/// The ledgers of a server by their host names.
public protocol WebSites: Sendable {
    /// The ledger of a request, in its newest state.
    ///
    /// - Parameters:
    ///   - host: in lower case, without the port; empty if there is none.
    ///   - address: the client's.
    func site(of host: String, for address: String) async throws(SiteFault) -> WebSite

    /// True if requests can be answered now.
    func isReady() async -> Bool
}

/// The reason why a request reaches no ledger.
public enum SiteFault: Error, Hashable, Sendable {
    /// The host name is none of this server's.
    case misdirected
    /// No ledger has the host name.
    case unknown
    /// The client asked for too many unknown names; the seconds to wait.
    case tooMany(Int)
    /// The ledger cannot be reached at present.
    case unavailable
}

/// Passes each request on to the ledger of its host name.
struct SiteResponder: HTTPResponder {
    let sites: any WebSites
    let policy: AccessPolicy

    /// Seconds after which a client may try again.
    private static let retry = 2

    func respond(to request: Request, context: WebContext) async throws -> Response {
        do {
            let host = hostName(authority: request.head.authority ?? "")
            let site = try await sites.site(of: host, for: context.address)
            var response = try await site.respond(to: request, context: context)
            if response.status == .serviceUnavailable, response.headers[.retryAfter] == nil {
                response.headers[.retryAfter] = "\(Self.retry)"
            }
            return response
        } catch let fault as SiteFault {
            // A balancer asks for the state of the server by its address.
            if fault == .misdirected, request.uri.path == "/health" { return await health() }
            return try await refuse(Self.refusal(of: fault), request, context)
        }
    }

    private func health() async -> Response {
        let isReady = await sites.isReady()
        return Response(
            status: isReady ? .ok : .serviceUnavailable,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"status":"\#(isReady ? "ok" : "unavailable")"}"#)))
    }

    private func refuse(_ refusal: Refusal, _ request: Request, _ context: WebContext) async throws -> Response {
        var response = try await ProtectiveHeaders(policy: policy).handle(request, context: context) { _, _ in
            throw refusal
        }
        response.headers[.requestID] = context.id
        return response
    }

    private static func refusal(of fault: SiteFault) -> Refusal {
        switch fault {
        case .misdirected:
            Refusal(
                status: .misdirectedRequest, title: "Misdirected request", detail: "This host name is not served here.")
        case .unknown:
            Refusal(status: .notFound, title: "Not found", detail: "Nothing is served under this host name.")
        case .tooMany(let seconds):
            Refusal(
                status: .tooManyRequests, title: "Too many requests", detail: "Try again in \(seconds) seconds.",
                headers: [.retryAfter: "\(seconds)"])
        case .unavailable:
            Refusal(
                status: .serviceUnavailable, title: "Service unavailable",
                detail: "The ledger cannot be reached at present: try again.", headers: [.retryAfter: "\(retry)"])
        }
    }
}
