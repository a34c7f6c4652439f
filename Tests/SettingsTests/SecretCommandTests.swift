import Testing

@testable import Settings

@Suite struct SecretCommandTests {
    private func secret(_ command: String) throws -> String {
        String(decoding: try SecretSource.command(command).read(), as: UTF8.self)
    }

    @Test func theFirstLineIsTheSecret() throws {
        #expect(try secret("printf 'one two\\r\\nuser: x\\n'") == "one two")
        #expect(try secret("yes secret | head -c 3000000") == "secret", "output larger than a pipe does not block")
        #expect(try secret("read x; echo \"$x-\"") == "-", "standard input is empty")
    }

    /// Background children keep the output open.
    @Test(.timeLimit(.minutes(5))) func backgroundProcessesAreNotAwaited() throws {
        #expect(try secret("sleep 100 & echo secret") == "secret")
    }

    @Test func failuresAreNamed() {
        #expect(throws: SecretError.self) { try secret("echo secret; exit 3") }
        #expect(throws: SecretError.self) { try secret("true") }
        #expect(throws: SecretError.self) { try secret("printf 'a\\0b\\n'") }
        #expect(throws: SecretError.self) { try secret("kill -9 $$") }
    }

    @Test(.timeLimit(.minutes(5))) func endlessCommandIsKilled() throws {
        let error = #expect(throws: SecretError.self) {
            try SecretCommand(command: "echo secret; sleep 600; echo never", timeout: 1).run()
        }
        #expect(
            error?.message.contains("did not end within 1 seconds") == true
                && error?.message.contains("secret;") == false)
    }
}
