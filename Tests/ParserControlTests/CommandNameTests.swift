import ArgumentParser
import Testing

@testable import ParserControl

/// A command without a name in its configuration gets one made of the type's, which every start pays for: describing
/// the types of 44 commands took half of the instructions of `parserctl --version`.
@Suite struct CommandNameTests {
    @Test func everyCommandHasAName() {
        var rest: [any ParsableCommand.Type] = [ParserControl.self]
        var count = 0
        while let command = rest.popLast() {
            count += 1
            #expect(command.configuration.commandName != nil, "\(command)")
            rest += command.configuration.subcommands
        }
        #expect(count > 100)
    }
}
