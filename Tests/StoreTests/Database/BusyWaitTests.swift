import Chronology
import ChronologyFixture
import GRDB
import Glibc
import Ledger
import Testing

@testable import Store

@Suite struct BusyWaitTests {
    private func milliseconds(_ body: () throws -> Void) rethrows -> Int {
        let clock = ContinuousClock()
        return Int(try clock.measure(body) / .milliseconds(1))
    }

    /// Without the interrupt the call would wait for five seconds.
    @Test(.timeLimit(.minutes(5))) func interruptEndsWaitWithoutChange() throws {
        let f = try Fixture()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: f.folder.database, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        f.store.interrupt()
        let waited = milliseconds {
            let error = #expect(throws: StoreError.self) { _ = try f.store.recording.record([mail(1, decision())]) }
            #expect(error?.kind == .busy)
        }
        #expect((400..<2000).contains(waited), "\(waited) ms")
        let again = milliseconds {
            #expect(throws: StoreError.self) { _ = try f.store.recording.record([mail(1, decision())]) }
        }
        #expect(again < 400, "\(again) ms")
        try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
        #expect(try f.store.recording.record([mail(1, decision())]).first?.outcome == .recorded)
    }
}
