import ArgumentParser
import Glibc
import Profiles
import Settings

struct Lint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that the profiles load and that each template carries its proof.",
        discussion: "Exit status: 0 nothing found, 1 cannot load, 2 findings.")

    @Flag(help: "Also run every pattern against hostile text made from it, which takes some seconds a bank.")
    var attacks = false
    @Flag(help: "One JSON object a line.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        let profiles: ProfileSet
        do { profiles = try locations.profiles() } catch {
            StandardError.write("parserctl: \(error)\n")
            throw Exit.cannotLoad
        }
        let findings = profiles.lint(attacks: attacks)
        for finding in findings {
            if json {
                print(
                    JSON.object([
                        ("template", .string(finding.template)), ("file", .string(finding.path)), ("message", .string(finding.message)),
                        ("remedy", .string(finding.remedy)),
                    ]).text)
            } else {
                print("\(finding.path)\(finding.line.map { ":\($0)" } ?? ""): \(finding.message)\n\(finding.remedy)")
            }
        }
        if !json { print("\(profiles.banks.reduce(0) { $0 + $1.templates.count }) templates of \(profiles.banks.count) banks load, \(findings.count) findings") }
        if !findings.isEmpty { throw Exit.differs }
    }
}
