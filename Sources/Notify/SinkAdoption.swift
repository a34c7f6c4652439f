import Access
import Chronology
import Ledger
public import Logging
public import Settings
public import Store
import Synchronization
import YAMLSource

/// Takes receivers of the page into use, changes and removes them, without a restart. Call ``pass()`` from one thread.
///
/// The page seals a receiver with the public key in the ledger; the private key is in a file that only the mail reader
/// may open. A request stays in the ledger until the files are written, so a crash in between loses nothing.
public final class SinkAdoption: Sendable {
    private let place: AddedSinks
    private let store: Store
    private let delivery: Delivery
    private let logger: Logger
    private let key: UnsealingKey
    /// Receivers of the configuration, which a reload replaces.
    private let configured: Mutex<[SinkSettings]>
    private let fault = PollFault()

    /// - Returns: `nil` without the private key, which ``MailboxAdoption`` makes.
    public init?(
        _ place: AddedSinks, configured: [SinkSettings], store: Store, delivery: Delivery, logger: Logger
    ) throws(SecretError) {
        guard let key = UnsealingKey(try place.key.read()) else { return nil }
        (self.place, self.store, self.delivery, self.logger, self.key) = (place, store, delivery, logger, key)
        self.configured = Mutex(configured)
    }

    /// The receivers of the configuration after a reload.
    public func replace(configured sinks: [SinkSettings]) { configured.withLock { $0 = sinks } }

    /// Does what the page asked for.
    public func pass() {
        let result = Result {
            guard try store.outbox.hasSinkRequests() else { return }
            for request in try store.outbox.addedSinks() {
                if request.removalRequested != nil {
                    try remove(request)
                } else if request.asked != nil {
                    try adopt(request)
                }
            }
            let configured = configured.withLock { $0 }
            delivery.replace(sinks: configured + place.load(beside: configured, into: store, logger: logger))
        }
        guard let reason = fault.new(in: result) else { return }
        logger.error("receivers of the page wait", metadata: ["reason": "\(reason)"])
    }

    private func remove(_ request: AddedSink) throws {
        try place.remove(request.name)
        try store.outbox.removeAdded(request.name)
        logger.notice("receiver removed on the page", metadata: ["sink": "\(request.name)"])
    }

    /// A fault of the disk leaves the request for the next attempt.
    private func adopt(_ request: AddedSink) throws {
        let configured = configured.withLock { $0 }
        guard !configured.contains(where: { $0.name == request.name }) else { return try refuse(request, .name) }
        guard MailboxDraft.isName(request.name), !request.events.isEmpty else {
            return try refuse(request, .invalid)
        }
        var receiver: TypedReceiver?
        if request.sealed != nil {
            guard let opened = self.receiver(of: request) else { return try refuse(request, .sealed) }
            receiver = opened
        }
        let quiet = request.quiet.map { QuietSettings(from: $0.from, to: $0.to) }
        do {
            guard try place.write(request.name, receiver, events: request.events, quiet: quiet) else {
                return try refuse(request, .sealed)
            }
        } catch is SourceError {
            return try refuse(request, .invalid)
        }
        guard let sink = try sink(request.name) else { return try refuse(request, .invalid) }
        try store.outbox.finish(request, AddedSink(sink) ?? request)
        logger.notice("receiver of the page in use", metadata: ["sink": "\(request.name)"])
    }

    /// What the page sealed; `nil` unless it opens with the present key and for this name, kind and server.
    private func receiver(of request: AddedSink) -> TypedReceiver? {
        guard request.sealedTo == key.sealingKey.text, let sealed = request.sealed.flatMap({ SealedSecret($0) }),
            let receiver = key.open(sealed, for: request.context).flatMap({ TypedReceiver($0) }),
            receiver.kind == request.kind, receiver.host == request.host
        else { return nil }
        return receiver
    }

    /// The receiver in use, if any, stays.
    private func refuse(_ request: AddedSink, _ fault: AddedSink.Fault) throws {
        var kept = try sink(request.name).flatMap { AddedSink($0) } ?? request
        kept.fault = fault
        try store.outbox.finish(request, kept)
        logger.error(
            "receiver of the page refused", metadata: ["sink": "\(request.name)", "reason": "\(fault.rawValue)"])
    }

    private func sink(_ name: String) throws -> SinkSettings? {
        try place.read(beside: []).sinks.first { $0.name == name }
    }
}

extension AddedSinks {
    /// Reads the receivers that were added on the page, and makes the rows of the ledger those of the file. Problems
    /// are logged and stored with the receiver; they stop no other one.
    public func load(beside configured: [SinkSettings], into store: Store, logger: Logger) -> [SinkSettings] {
        do {
            let (sinks, problems) = try read(beside: configured)
            for problem in problems {
                logger.error("receiver of the page not used", metadata: ["reason": "\(problem.error)"])
            }
            let known = try store.outbox.addedSinks()
            let unused = problems.compactMap { problem -> AddedSink? in
                guard let name = problem.name else { return nil }
                var row =
                    known.first { $0.name == name }
                    ?? AddedSink(name: name, kind: .webhook, host: "", events: [], quiet: nil)
                row.fault = configured.contains { $0.name == name } ? .name : .files
                return row
            }
            // A refused request is shown until a person changes or removes it.
            let refused = known.filter { row in
                row.fault != nil && row.asked == nil && !(unused.map(\.name) + sinks.map(\.name)).contains(row.name)
            }
            let used = sinks.compactMap { sink -> AddedSink? in
                var row = AddedSink(sink)
                row?.fault = known.first { $0.name == sink.name }?.fault
                return row
            }
            try store.outbox.setAdded(unused + refused + used)
            return sinks
        } catch {
            logger.error("receivers of the page not read", metadata: ["reason": "\(error)"])
            return []
        }
    }
}

extension AddedSink {
    /// `nil` for a kind that the page does not add.
    init?(_ sink: SinkSettings) {
        guard let kind = sink.kind else { return nil }
        self.init(
            name: sink.name, kind: kind, host: sink.host, events: sink.events,
            quiet: sink.quiet.map { Quiet(from: $0.from, to: $0.to) })
    }
}
