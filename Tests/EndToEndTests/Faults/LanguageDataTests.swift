import Foundation
import Testing

extension EndToEnd {
    @Suite struct ProgramsWithoutLanguageData {
        /// Every test of a program proves that nothing needs ICU's data, as long as the programs have none.
        @Test(.timeLimit(.minutes(3))) func programsOfTheTestsHaveNoneEither() throws {
            let station = try Station()
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            let libraries = daemon.libraries
            #expect(libraries.contains { $0.hasSuffix("/spendwised") })
            // None in a release program, which contains Foundation.
            for library in libraries where library.hasSuffix("/" + LanguageData.library) {
                #expect(library == "\(Program.built)/without-language-data/\(LanguageData.library)")
            }
        }
    }
}
