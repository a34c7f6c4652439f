import Chronology
import Glibc
import Synchronization
import Testing

@testable import DKIM

/// A resolver that counts its questions and answers after a pause.
final class ScriptedResolver: TXTResolver {
    private let answer: TXTAnswer
    private let pause: Duration
    private let asked = Mutex(0)

    init(_ answer: TXTAnswer, after pause: Duration = .zero) {
        self.answer = answer
        self.pause = pause
    }

    var questions: Int { asked.withLock { $0 } }

    func records(of name: String) -> TXTAnswer {
        asked.withLock { $0 += 1 }
        usleep(UInt32(pause / .microseconds(1)))
        return answer
    }
}

/// A resolver that answers nothing until it is told to.
final class SilentResolver: TXTResolver, @unchecked Sendable {  // the semaphore is the only state that changes
    private let found: TXTAnswer
    private let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(_ found: TXTAnswer) {
        self.found = found
        sem_init(gate, 0, 0)
    }

    deinit {
        sem_destroy(gate)
        gate.deallocate()
    }

    func records(of name: String) -> TXTAnswer {
        while sem_wait(gate) != 0 {}
        sem_post(gate)
        return found
    }

    /// Lets every question, past and future, be answered.
    func answer() { sem_post(gate) }
}

@Suite struct KeySourceTests {
    static let record = Array("v=DKIM1; p=AAAA".utf8)

    static func name(_ selector: String) throws -> KeyName {
        try #require(KeyName(selector: selector, domain: "bank.example"))
    }

    @Test func answersAreCached() throws {
        let resolver = ScriptedResolver(.records([Self.record], timeToLive: 3600))
        let source = DNSKeySource(resolver: resolver)
        let names = [try Self.name("a"), try Self.name("b")]
        for _ in 0..<50 { #expect(source.answers(for: names) == [.record(Self.record), .record(Self.record)]) }
        #expect(resolver.questions == 2)
    }

    @Test(
        arguments: [
            (.missing, .missing), (.failed, .unavailable), (.records([[1], [2]], timeToLive: 60), .unusable),
            (.records([Array("spf".utf8), record], timeToLive: 60), .record(record)),
            (.records([record, record], timeToLive: 60), .unusable),
        ] as [(TXTAnswer, KeyAnswer)])
    func otherAnswers(found: TXTAnswer, expected: KeyAnswer) throws {
        let resolver = ScriptedResolver(found)
        let source = DNSKeySource(resolver: resolver)
        for _ in 0..<3 { #expect(source.answers(for: [try Self.name("a")]) == [expected]) }
        #expect(resolver.questions == 1)
    }

    @Test(
        arguments: [
            (.records([record], timeToLive: 0), 60), (.records([record], timeToLive: 600), 600),
            (.records([record], timeToLive: .max), 86_400), (.missing, 300), (.failed, 30),
        ] as [(TXTAnswer, Int64)])
    func timeToLive(found: TXTAnswer, seconds: Int64) throws {
        var cache = KeyCache()
        cache.insert(found, for: try Self.name("a"), now: 1000)
        #expect(cache.answer(for: try Self.name("a"), now: 1000 + seconds - 1) != nil)
        #expect(cache.answer(for: try Self.name("a"), now: 1000 + seconds) == nil)
    }

    @Test func cacheIsBounded() throws {
        var cache = KeyCache()
        for number in 0..<10_000 {
            cache.insert(.missing, for: try Self.name("s\(number)"), now: Int64(number))
            #expect(cache.count <= KeyCache.capacity)
        }
        #expect(cache.answer(for: try Self.name("s9999"), now: 9999) == .missing)
    }

    /// One mail waits; the following ones do not. The late answers are there for the next attempt.
    ///
    /// A wait of each mail would take 500 seconds: the time limit is what a wrong source fails.
    @Test(.timeLimit(.minutes(2))) func silentResolverDelaysOnce() throws {
        let resolver = SilentResolver(.records([Self.record], timeToLive: 3600))
        let source = DNSKeySource(resolver: resolver, waitLimit: .seconds(5))
        for number in 0..<100 {
            #expect(source.answers(for: [try Self.name("s\(number % 4)")]) == [.unavailable])
        }
        resolver.answer()
        // Until the first late answer arrives, an unknown name is unavailable at once.
        while source.answers(for: [try Self.name("s1")]) != [.record(Self.record)] { sched_yield() }
    }

    /// Names beyond the queue's bound are refused at once and take no memory.
    @Test func waitingNamesAreBounded() throws {
        let resolver = ScriptedResolver(.missing, after: .milliseconds(300))
        let source = DNSKeySource(resolver: resolver, waitLimit: .milliseconds(1))
        let names = try (0..<2000).map { try Self.name("s\($0)") }
        #expect(source.answers(for: names).allSatisfy { $0 == .unavailable })
        // No event: the time in which a thread too many would ask.
        usleep(100_000)
        #expect(resolver.questions <= DNSKeySource.threads)
    }

    @Test(arguments: [
        ("a", "bank.example", true), ("A.b", "Bank.Example", true), ("", "bank.example", false), ("a", "", false),
        ("a", "bank..example", false), ("a b", "bank.example", false), ("a\0", "bank.example", false),
        ("a", "b\u{E4}nk.example", false), (String(repeating: "a", count: 64), "bank.example", false),
        (String(repeating: "a.", count: 130) + "a", "bank.example", false), ("a", "bank.example.", false),
    ]) func names(selector: String, domain: String, isName: Bool) {
        #expect((KeyName(selector: selector, domain: domain) != nil) == isName)
    }
}
