import ArgumentParser
import Codecs
import Console
import ProfileAuthoring
import Profiles
import Settings
import Synchronization

struct Lint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract:
            "Check that the profiles load, that each template has its samples, and that no hostile text stalls it.",
        discussion: "Exit status: 0 nothing found, 1 cannot load, 2 findings.")

    @Argument(help: ArgumentHelp("Only these banks (hdfc) or templates (hdfc/otp).", valueName: "name"))
    var names: [String] = []
    @Flag(
        inversion: .prefixedNo,
        help: "Match every pattern with hostile text made from it; takes some tenths of a second for a template.")
    var attacks = true
    @Flag(help: "One JSON object a line.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        let profiles: ProfileSet
        do { profiles = try locations.profiles() } catch {
            StandardError.write("parserctl: \(error)\n")
            throw Exit.failed
        }
        let known = Set((profiles.banks + profiles.shared).flatMap { [$0.key] + $0.templates.map(\.name) })
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw Refused("there is no bank or template named '\(unknown)'")
        }
        let done = Mutex(0)
        let findings = profiles.lint(Set(names), attacks: attacks) { template in
            let count = done.withLock {
                $0 += 1
                return $0
            }
            Terminal.progress("\(count) templates attacked, last \(template)")
        }
        Terminal.progress(nil)
        for finding in findings { show(finding) }
        if !json {
            Output.line(
                "\(profiles.templateCount) templates of \(profiles.banks.count) banks load, \(findings.count) findings")
        }
        if !findings.isEmpty || !profiles.leftOut.isEmpty { throw Exit.differs }
    }

    private func show(_ finding: LintFinding) {
        if json {
            Output.line(
                JSON.object([
                    ("template", .string(finding.template)), ("file", .string(finding.path)),
                    ("line", JSON(finding.line)), ("message", .string(finding.message)),
                    ("remedy", .string(finding.remedy)),
                ]).text)
        } else {
            Output.line(
                "\(finding.path)\(finding.line.map { ":\($0)" } ?? ""): \(Terminal.printable(finding.message))\n\(finding.remedy)"
            )
        }
    }
}
