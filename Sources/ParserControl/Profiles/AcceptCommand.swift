import Codecs
import Console
import ProfileAuthoring
import Profiles
import Settings
import YAMLSource

/// `parserctl test --accept`: writes the values read from samples into their files.
struct Accept {
    let force: Bool
    let json: Bool

    /// - Returns: the number of samples written and refused.
    func run(_ results: [SampleResult]) throws(SourceError) -> (written: Int, refused: Int) {
        var counts = (written: 0, refused: 0)
        for result in results {
            switch Acceptance.answer(to: result, force: force) {
            case .nothingToDo: continue
            case .write(let value):
                try Acceptance.write(value, for: result)
                counts.written += 1
                report(result, wrote: value.flow, refused: nil)
            case .refuse(let refusal):
                counts.refused += 1
                report(result, wrote: nil, refused: refusal.sentence)
            }
        }
        return counts
    }

    private func report(_ result: SampleResult, wrote: String?, refused: String?) {
        if json {
            Output.line(
                JSON.object([
                    ("template", .string(result.template)), ("sample", .string(result.sample)),
                    ("file", .string(result.path)), ("line", JSON(result.line)),
                    ("wrote", JSON(wrote)), ("refused", JSON(refused)),
                ]).text)
        } else {
            let what = wrote.map { "wrote expect: \(Terminal.printable($0))" } ?? "not written: \(refused ?? "")"
            Output.line(
                "\(result.path):\(result.line): \(Terminal.styled(result.template, .bold)), sample '\(Terminal.printable(result.sample))'\n  \(what)"
            )
        }
    }
}
