import Testing

@testable import Settings

@Suite struct InstalledFilesTests {
    @Test(arguments: [
        ("/usr/bin/spendwised", "/usr/share/spendwise"),
        ("/usr/local/bin/parserctl", "/usr/local/share/spendwise"),
        ("/usr/local/bin/spendwised (deleted)", "/usr/local/share/spendwise"),
        ("/opt/spend wise/bin/spendwised", "/opt/spend wise/share/spendwise"),
        ("/bin/spendwised", "/share/spendwise"),
        ("/home/asha/spendwise/.build/release/spendwised", "/usr/share/spendwise"),
        ("", "/usr/share/spendwise"),
    ])
    func sharedFolderBelongsToThePrefix(program: String, folder: String) {
        #expect(InstalledFiles.shared(forProgram: program) == folder)
    }

    @Test func programIsTheRunningExecutable() {
        #expect(InstalledFiles.program.hasPrefix("/"))
    }
}
