import ArgumentParser
import Chronology
import Codecs
import Console
import Glibc
import Store

/// The audit log: of the web role, of the mail reader's profiles, and of commands.
struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show the audit log: requests, logins, tokens, exports, restores.",
        discussion:
            "It holds no amounts, merchants, addresses, tokens or queries. A request's id is also in the answer's X-Request-ID and in the daemon's log."
    )
    @Option(help: "The maximum number of events, newest first.")
    var limit = 100
    @Option(help: "Only events of this last period, such as 7d.")
    var since: String?
    @Flag(help: "Prove that no event was changed, removed or inserted later.")
    var verify = false
    @Option(
        help: ArgumentHelp("With --verify: a former newest digest, which the log must contain.", valueName: "digest"))
    var contains: String?
    @OptionGroup var options: LedgerOptions

    func validate() throws {
        if contains != nil, !verify { throw ValidationError("--contains needs --verify") }
        if let contains, AuditDigest(contains) == nil {
            throw ValidationError("--contains needs 64 hexadecimal digits, as --verify prints them")
        }
    }

    func run() async throws {
        if verify { return try prove() }
        try options.read { store in
            let start = try since.map { UnixTime.now - (try AccessNames.seconds($0)) } ?? .epoch
            options.show(try store.audit.latest(since: start, limit: max(0, limit)), as: .auditEvents)
        }
    }
}

extension Audit {
    /// - Throws: `ExitCode` 1 if the chain breaks or does not contain the digest.
    private func prove() throws {
        try options.read { store in
            let proof = try store.audit.proof(of: contains.flatMap(AuditDigest.init))
            options.show(Self.object(proof), sentence(proof))
            if proof.broken != nil || proof.contains == false { throw Exit.failed }
        }
    }

    private static func object(_ proof: AuditProof) -> JSON {
        .object([
            ("proved", .bool(proof.broken == nil)), ("events", .integer(Int64(proof.events))),
            ("pruned", .integer(Int64(proof.pruned))), ("newest_digest", .string("\(proof.newest)")),
            ("broken_at", JSON(proof.broken?.id)), ("contains", proof.contains.map(JSON.bool) ?? .null),
        ])
    }

    private func sentence(_ proof: AuditProof) -> String {
        if let broken = proof.broken {
            let cause =
                broken.isUnsealed
                ? "was inserted by another program" : "or an event before it was changed, removed or inserted"
            return """
                the audit log is NOT intact: event \(broken.id) of \(broken.at) \(cause); the \(proof.events) events before it are intact
                """
        }
        var lines = ["the audit log is intact: \(proof.events) events, newest digest \(proof.newest)"]
        if proof.pruned > 0 { lines.append("\(proof.pruned) older events were deleted because of their age") }
        switch proof.contains {
        case true?: lines.append("it contains the given digest")
        case false?:
            lines.append(
                "it does NOT contain the given digest: events after it were replaced, a backup was restored, or it was pruned"
            )
        case nil: break
        }
        return lines.joined(separator: "\n")
    }
}

extension Store {
    /// Notes in the audit log that the person at the terminal copies rows out of the ledger, before it is done.
    ///
    /// Whoever may read the ledger can copy its file without a trace, so a note that cannot be written refuses nothing.
    func noteCopy(_ event: String) {
        do {
            let writable = isReadOnly ? try Store(path: path) : self
            try writable.audit.append(.byOperator(event))
        } catch {
            Output.error("parserctl: '\(event)' is not in the audit log: \(error)")
        }
    }
}

extension RowFormat where Row == AuditEvent {
    static var auditEvents: RowFormat {
        RowFormat(
            empty: "the audit log is empty",
            object: { event in
                .object([
                    ("at", JSON(describing: event.at)), ("event", .string(event.event)),
                    ("who", .string(event.who)), ("method", JSON(event.method)), ("route", JSON(event.route)),
                    ("status", JSON(event.status)), ("request_id", JSON(event.requestID)),
                ])
            },
            columns: [
                .left("at") { $0.at.description }, .left("event") { $0.event }, .left("who") { $0.who },
                .left("") { $0.method ?? "" }, .left("route") { $0.route ?? "" },
                .right("status") { $0.status.map { "\($0)" } ?? "" }, .left("request") { $0.requestID ?? "" },
            ])
    }
}
