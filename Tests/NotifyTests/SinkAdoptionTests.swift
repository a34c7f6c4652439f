import Access
import Foundation
import GRDB
import Ledger
import Logging
import Testing

@testable import Notify
@testable import Settings
@testable import Store

/// The mail reader's part of receivers that are added on the page.
@Suite final class SinkAdoptionTests {
    private static let address = "https://hooks.example.com/t0ken"
    private static let secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let webhook = TypedReceiver(.webhook, [.url: address, .secret: secret])

    private let desk: Desk
    private let store: Store
    private let key = UnsealingKey()
    private let delivery: Delivery
    private let adoption: SinkAdoption
    private var place: AddedSinks { AddedSinks(beside: AddedMailboxes(folder: desk.folder + "/state")) }
    private var configured: [SinkSettings] { delivery.sinks }

    init() throws {
        desk = try Desk()
        store = try desk.open()
        delivery = try desk.delivery(
            "  - { name: configured, kind: webhook, url: 'https://example.com/', secret_file: s }\n", store)
        let mailboxes = AddedMailboxes(folder: desk.folder + "/state")
        try mailboxes.makeFolders()
        try mailboxes.key.write([key.text])
        adoption = try #require(
            try SinkAdoption(
                AddedSinks(beside: mailboxes), configured: delivery.sinks, store: store, delivery: delivery,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Asks as the page does.
    private func ask(
        _ name: String = "home", _ receiver: TypedReceiver = SinkAdoptionTests.webhook,
        host: String = "hooks.example.com"
    ) throws {
        let sink = AddedSink(
            name: name, kind: receiver.kind, host: host, events: [.transaction, .review],
            quiet: .init(from: 1350, to: 420))
        let sealed = try #require(key.sealingKey.seal(receiver.bytes, for: sink.context, in: .grant))
        try store.outbox.ask(for: sink, sealed: sealed.text, to: key.sealingKey.text, at: desk.clock.now())
    }

    private func row() throws -> AddedSink { try #require(try store.outbox.addedSinks().first) }

    /// Names of the files of secrets.
    private func secrets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: desk.folder + "/state/sinks").sorted()
    }

    @Test func aReceiverIsTakenIntoUse() throws {
        try ask()
        adoption.pass()
        let sink = try #require(try place.read(beside: configured).sinks.first)
        guard case .webhook(let settings) = sink.receiver else { throw Missing() }
        #expect(settings.url == Self.address && sink.events == [.transaction, .review])
        #expect(try settings.secret.read() == Array(Self.secret.utf8))
        #expect(sink.quiet?.from == 1350 && sink.quiet?.to == 420)
        #expect(sink.hidesDetails && sink.hidesAmount && sink.hidesMerchant)
        let row = try row()
        #expect(row.asked == nil && row.sealed == nil && row.sealedTo == nil && row.fault == nil)
        #expect(try !store.outbox.hasSinkRequests())
        let file = try String(contentsOfFile: place.path, encoding: .utf8)
        #expect(!file.contains(Self.secret))
        guard case .file(let secret) = settings.secret else { throw Missing() }
        for path in [place.path, secret.path] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
    }

    private struct Missing: Error {}

    /// Whatever a program wrote into the file.
    @Test func theFileCannotShowMore() throws {
        try ask()
        adoption.pass()
        let file = try String(contentsOfFile: place.path, encoding: .utf8)
        try file.replacing("details: hidden", with: "details: shown").write(
            toFile: place.path, atomically: true, encoding: .utf8)
        #expect(try place.read(beside: configured).sinks.first?.hidesDetails == true)
    }

    @Test(arguments: [
        TypedReceiver(.webhook, [.url: "http://127.0.0.1:8001/", .secret: secret]),
        TypedReceiver(.webhook, [.url: address]), TypedReceiver(.ntfy, [.url: address]),
        TypedReceiver(.webhook, [.url: "https://other.example/", .secret: secret]),
    ]) func whatThePageWouldNotSendIsRefused(receiver: TypedReceiver) throws {
        let sink = AddedSink(
            name: "home", kind: .webhook, host: "hooks.example.com", events: [.transaction], quiet: nil)
        let sealed = try #require(key.sealingKey.seal(receiver.bytes, for: sink.context, in: .grant))
        try store.outbox.ask(for: sink, sealed: sealed.text, to: key.sealingKey.text, at: desk.clock.now())
        adoption.pass()
        #expect(try row().fault == .sealed)
        #expect(try place.read(beside: configured).sinks.isEmpty && secrets().isEmpty)
    }

    @Test func aReceiverSealedForAnotherServerIsRefused() throws {
        try ask()
        try store.writeDatabase { try $0.execute(sql: "UPDATE added_sinks SET host = 'hooks.evil.example'") }
        adoption.pass()
        #expect(try row().fault == .sealed)
        #expect(try place.read(beside: configured).sinks.isEmpty)
    }

    @Test(arguments: [("configured", AddedSink.Fault.name), ("../key", .invalid)])
    func aNameOfTheConfigurationOrAPathIsRefused(name: String, fault: AddedSink.Fault) throws {
        try ask(name)
        adoption.pass()
        #expect(try row().fault == fault)
        #expect(try place.read(beside: []).sinks.isEmpty)
    }

    @Test func aChangeKeepsTheReceiver() throws {
        try ask()
        adoption.pass()
        var sink = try row()
        (sink.events, sink.quiet) = ([.due], nil)
        try store.outbox.ask(toChange: sink, receiver: nil, at: desk.clock.now())
        adoption.pass()
        let changed = try #require(try place.read(beside: configured).sinks.first)
        guard case .webhook(let settings) = changed.receiver else { throw Missing() }
        #expect(settings.url == Self.address && changed.events == [.due] && changed.quiet == nil)
        #expect(try settings.secret.read() == Array(Self.secret.utf8))
        #expect(try row().events == [.due])
    }

    /// The secret of a new receiver is in a file of its own, which the former one does not read.
    @Test func aNewReceiverReplacesTheSecret() throws {
        try ask()
        adoption.pass()
        let former = try secrets()
        let receiver = TypedReceiver(.webhook, [.url: "https://new.example/", .secret: "bmV3" + Self.secret])
        var sink = try row()
        sink.host = "new.example"
        let sealed = try #require(key.sealingKey.seal(receiver.bytes, for: sink.context, in: .grant))
        try store.outbox.ask(
            toChange: sink, receiver: (sealed.text, key.sealingKey.text), at: desk.clock.now())
        adoption.pass()
        #expect(try secrets().count == 1 && secrets() != former)
        let changed = try #require(try place.read(beside: configured).sinks.first)
        #expect(changed.host == "new.example" && changed.quiet?.from == 1350)
    }

    /// The receiver in use stays.
    @Test func aRefusedChangeLeavesWhatIsInUse() throws {
        try ask()
        adoption.pass()
        var sink = try row()
        (sink.events, sink.host) = ([.due], "hooks.evil.example")
        try store.outbox.ask(toChange: sink, receiver: ("no seal", key.sealingKey.text), at: desk.clock.now())
        adoption.pass()
        let row = try row()
        #expect(row.fault == .sealed && row.host == "hooks.example.com" && row.events == [.transaction, .review])
        #expect(try place.read(beside: configured).sinks.first?.events == [.transaction, .review])
    }

    @Test func aRemovalDeletesEntryAndSecret() throws {
        try ask()
        try ask("phone", TypedReceiver(.ntfy, [.url: "https://ntfy.sh/long-topic", .secret: "tk_1"]), host: "ntfy.sh")
        adoption.pass()
        #expect(try secrets().count == 2)
        try store.outbox.requestRemoval(ofSink: "home", at: desk.clock.now())
        adoption.pass()
        #expect(try secrets().count == 1 && secrets()[0].hasPrefix("phone."))
        #expect(try place.read(beside: configured).sinks.map(\.name) == ["phone"])
        #expect(try store.outbox.addedSinks().map(\.name) == ["phone"])
    }

    /// Such as after a restored ledger.
    @Test func theRowsAreThoseOfTheFileAtAStart() throws {
        try ask()
        adoption.pass()
        try store.writeDatabase { try $0.execute(sql: "DELETE FROM added_sinks") }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        #expect(place.load(beside: configured, into: store, logger: logger).map(\.name) == ["home"])
        let row = try row()
        #expect(row.host == "hooks.example.com" && row.kind == .webhook && row.events == [.transaction, .review])
    }

    @Test func aMailReceiverIsRead() throws {
        let values: [TypedReceiver.Field: String] = [
            .host: "smtp.example.com", .port: "587", .tls: "starttls", .user: "asha", .secret: " pass word'\"",
            .from: "books@example.com", .to: "asha@example.com",
        ]
        try ask("mail", TypedReceiver(.email, values), host: "smtp.example.com")
        adoption.pass()
        let sink = try #require(try place.read(beside: configured).sinks.first)
        guard case .email(let email) = sink.receiver else { throw Missing() }
        #expect(email.host == "smtp.example.com" && email.port == 587 && email.to == ["asha@example.com"])
        #expect(try email.password?.read() == Array(" pass word'\"".utf8))
    }
}
