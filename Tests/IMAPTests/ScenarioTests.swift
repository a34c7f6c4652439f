import Chronology
import ChronologyFixture
import Randomness
import Testing
import YAMLSource

@testable import IMAP

let scenarios =
    examineScenarios + searchScenarios + fetchScenarios + idleScenarios + spokenCommands.map(\.whole)

@Suite struct ScenarioTests {
    @Test(arguments: scenarios) func whole(_ scenario: Scenario) throws {
        let (lines, script) = try scenario.play()
        #expect(lines == scenario.expect)
        #expect(script.problem == nil)
        if !(scenario.expect.last ?? "").hasPrefix("error") { #expect(script.isPlayed) }
    }

    @Test(arguments: scenarios) func byteByByte(_ scenario: Scenario) throws {
        let (lines, script) = try scenario.play { $0.chunk = 1 }
        #expect(lines == scenario.expect)
        #expect(script.problem == nil)
    }

    @Test(arguments: scenarios) func splitAtEveryByte(_ scenario: Scenario) throws {
        for split in 0...scenario.serverBytes {
            let lines = try scenario.play { $0.split = split }.lines
            if lines != scenario.expect {
                Issue.record("split at \(split): \(lines)")
                break
            }
        }
    }

    /// The connection ends after every possible number of bytes: the results before it are correct, and the end is an
    /// error.
    @Test(arguments: scenarios) func cutAtEveryByte(_ scenario: Scenario) throws {
        for cut in 0..<scenario.serverBytes {
            let (lines, script) = try scenario.play { $0.cut = cut }
            if lines == scenario.expect { continue }
            let told = lines.dropLast()
            #expect(script.problem == nil)
            #expect(lines.last?.hasPrefix("error") == true, "cut at \(cut): \(lines)")
            if !scenario.expect.starts(with: told) {
                Issue.record("cut at \(cut): \(lines)")
                break
            }
        }
    }

    /// Bytes are changed, dropped, doubled and inserted at random: any result or error is allowed, but every delivered
    /// message was requested.
    @Test(arguments: scenarios) func damaged(_ scenario: Scenario) throws {
        var random = SplitMix64(state: UInt64(scenario.name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }.magnitude))
        for _ in 0..<200 {
            let damaged = Scenario(
                name: scenario.name, capabilities: scenario.capabilities,
                maximumMessageBytes: scenario.maximumMessageBytes,
                script: scenario.script.map { random.damage($0) }, run: scenario.run, expect: [])
            let asked = Set(scenario.expect.filter { $0.hasPrefix("mail") }.map { $0.split(separator: " ")[1] })
            let lines = try damaged.play { $0.chunk = Int.random(in: 1...64, using: &random) }.lines
            for line in lines where line.hasPrefix("mail") && !asked.isEmpty {
                let uid = line.split(separator: " ")[1]
                #expect(asked.contains(uid) || UInt32(uid).map { $0 <= 17 } == true, "\(line)")
            }
        }
    }
}

extension SplitMix64 {
    mutating func damage(_ step: Step) -> Step {
        var bytes = Script.bytes(step)
        guard !bytes.isEmpty, Int.random(in: 0..<3, using: &self) == 0 else { return step }
        let telling = Array("{}()[]<>\"\\\r\n *+0179S~".utf8)
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            let at = Int.random(in: 0..<bytes.count, using: &self)
            let byte =
                Bool.random(using: &self)
                ? telling.randomElement(using: &self) ?? 0 : UInt8.random(in: 0...255, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: bytes[at] = byte
            case 1: bytes.insert(byte, at: at)
            case 2 where bytes.count > 1: bytes.remove(at: at)
            default: bytes.insert(contentsOf: bytes[at...].prefix(40), at: at)
            }
        }
        return .raw(bytes)
    }
}
