import Chronology
import Foundation
import GRDB
import Ledger
import Testing

@testable import Store

/// Requests to use a template: asked for by the page, decided by the mail reader.
@Suite struct ActivationRowsTests {
    private func ask(
        _ store: Store, _ template: String = "hdfc/paid", yaml: String = "template: hdfc/paid\n",
        _ expected: [Field: String]? = [.amount: "5.00", .merchant: "\"A\" & B"]
    ) throws {
        try store.templateActivations.ask(
            template, yaml: yaml, provenBy: "m1", expected, by: "person", at: store.now())
    }

    @Test func aRequestIsDecided() throws {
        let f = try Fixture()
        // As the web role.
        let web = try WriteRulesTests.web(f)
        try ask(web)
        let rows = f.store.templateActivations
        let request = try #require(try rows.requested().first)
        #expect(request.isIntact && request.state == .asked && request.bank == "hdfc")
        #expect(request.expected == [.amount: "5.00", .merchant: "\"A\" & B"])
        #expect(try rows.generation().isEmpty)
        f.clock.advance(10)
        try rows.activated(request, at: f.store.now())
        let active = try #require(try rows.active().first)
        #expect(active.state == .active && active.decidedAt == request.askedAt + 10 && active.seenAt == nil)
        #expect(try rows.requested().isEmpty && rows.generation() == ["1 active"])
        try web.templateActivations.acknowledge(active.id, at: web.now())
        #expect(try rows.active().first?.seenAt == web.now())

        #expect(try web.templateActivations.withdraw(active.id, at: web.now()).withdrawAskedAt != nil)
        let ending = try #require(try rows.requested().first)
        try rows.withdrawn(ending, at: f.store.now())
        #expect(try rows.active().isEmpty && rows.requested().isEmpty && rows.generation() == ["1 withdrawn"])
        #expect(try f.store.audit.latest(limit: 9).map(\.event).filter { $0.hasPrefix("template") }.count == 2)
        #expect(throws: StoreError.self) { try web.templateActivations.withdraw(99, at: web.now()) }
    }

    @Test func aLaterOneOfTheSameNameReplacesTheFirst() throws {
        let f = try Fixture()
        let rows = f.store.templateActivations
        for yaml in ["one", "two"] {
            try ask(f.store, yaml: yaml, nil)
            try rows.activated(try #require(try rows.requested().first), at: f.store.now())
        }
        #expect(try rows.active().map(\.yaml) == ["two"] && rows.active().first?.expected == nil)
        #expect(try rows.all().map(\.state) == [.active, .replaced])
        // A decision about a row that another pass has decided changes nothing.
        let former = try #require(try rows.all().last)
        try rows.refused(former, because: "late", at: f.store.now())
        #expect(try rows.all().map(\.state) == [.active, .replaced])
    }

    @Test func whatCannotBeAskedFor() throws {
        let f = try Fixture()
        try ask(f.store)
        #expect(throws: StoreError.self) { try ask(f.store) }
        // The name is the path of a file that the mail reader writes and removes.
        for template in [
            "_shared/x", "hdfc/_bank", "hdfc", "../x", "HDFC/x", "hdfc/" + String(repeating: "x", count: 120),
            "hdfc/../../mailboxes", "hdfc/more/paid", "hdfc/a.b", "hdfc/a b", "hdfc/Paid",
        ] {
            #expect(throws: StoreError.self, "\(template)") { try ask(f.store, template) }
        }
        let large = String(repeating: "x", count: TemplateActivation.maximumBytes + 1)
        #expect(throws: StoreError.self) { try ask(f.store, "hdfc/large", yaml: large) }
        #expect(throws: StoreError.self) { try ask(f.store, "hdfc/empty", yaml: "") }
        for index in 1..<TemplateActivation.maximumAsked { try ask(f.store, "hdfc/more-\(index)") }
        let error = #expect(throws: StoreError.self) { try ask(f.store, "hdfc/last") }
        #expect(error?.kind == .conflict)
    }

    @Test func faultsOfTheLoaderAreStored() throws {
        let f = try Fixture()
        let rows = f.store.templateActivations
        try ask(f.store)
        try rows.activated(try #require(try rows.requested().first), at: f.store.now())
        try rows.setFaults(["hdfc/paid": "unknown key", "hdfc/other": "x"])
        #expect(try rows.active().first?.fault == "unknown key")
        let report = HealthReport(try f.store.monitoring.snapshot(), configured: [])
        #expect(report.level == .degraded)
        #expect(
            report.faults.contains { if case .templateLeftOut("hdfc/paid", "unknown key") = $0 { true } else { false } }
        )
        try rows.setFaults([:])
        #expect(try rows.active().first?.fault == nil)
        // Its file is missing: it is proven again.
        try rows.askAgain(try #require(try rows.active().first))
        #expect(try rows.requested().map(\.state) == [.asked])
    }

    @Test func endedRequestsAreKeptUpToALimit() throws {
        let f = try Fixture()
        let rows = f.store.templateActivations
        for _ in 0..<(TemplateActivation.maximumEnded + 5) {
            try ask(f.store)
            f.clock.advance(1)
            try rows.refused(try #require(try rows.requested().first), because: "no", at: f.store.now())
        }
        #expect(try rows.all().count == TemplateActivation.maximumEnded)
    }
}
