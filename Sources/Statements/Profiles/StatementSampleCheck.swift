import Ledger
import PDFWords
public import YAMLSource

/// What became of a sample of a statement profile.
public struct StatementSampleResult: Sendable {
    public struct Difference: Hashable, Sendable {
        public var field: String
        public var got: String?
        public var expected: String?
    }

    public let bank: String
    /// `hdfc/_statement-card`.
    public let profile: String
    public let sample: String
    /// The file and the line of the sample in it.
    public let path: String
    public let line: Int
    /// Index in the file's list, from 0.
    public let index: Int
    /// Empty if the sample holds.
    public internal(set) var differences: [Difference] = []
}

extension StatementReader {
    /// Runs the samples of every statement profile, in this process: they are files of the operator, as the profiles.
    ///
    /// A sample is read by its profile alone, and beside the bank's others and the shared words, which must give the
    /// same.
    /// - Throws: the error in a profile, or in the shared words.
    public static func checkSamples(profiles folders: [String]) throws(SourceError) -> [StatementSampleResult] {
        let files = try StatementProfileFiles(folders)
        guard !files.entries.isEmpty else { return [] }
        let shared = try sharedWords(folders)
        var results: [StatementSampleResult] = []
        for entry in files.entries {
            let others = files.profiles(of: [entry.bank])
            for (index, sample) in try StatementSample.samples(in: entry.file).enumerated() {
                var result = StatementSampleResult(
                    bank: entry.bank, profile: entry.profile.name, sample: sample.name, path: entry.file.path,
                    line: sample.line, index: index)
                let alone = Self.read(sample, [shared.mapped(by: entry.profile)])
                result.differences = sample.differences(from: alone)
                if case .statement = sample.expectation, result.differences.isEmpty {
                    let together = Self.read(sample, others.map(shared.mapped(by:)) + [shared])
                    result.differences = sample.differences(from: together).map {
                        .init(field: "\($0.field), beside the other profiles", got: $0.got, expected: $0.expected)
                    }
                }
                results.append(result)
            }
        }
        return results
    }

    private static func read(
        _ sample: StatementSample, _ words: [StatementWords]
    ) -> Result<BankStatement, StatementReadingError> {
        let parser = StatementParser(words: words)
        do throws(StatementReadingError) {
            switch sample.content {
            case .text(let text): return .success(try parser.read(Array(text.utf8), currency: sample.currency))
            case .pages(let pages):
                let words = pages.map(StatementSample.words(onPage:))
                return .success(try parser.read(.pages(words), currency: sample.currency))
            }
        } catch { return .failure(error) }
    }
}

extension StatementSample {
    fileprivate func differences(
        from result: Result<BankStatement, StatementReadingError>
    ) -> [StatementSampleResult.Difference] {
        switch (expectation, result) {
        case (.none, .failure(.noTable)): return []
        case (.refused, .failure(let error)) where error != .noTable: return []
        case (.statement(let proof, let lines), .success(let statement)):
            let strength = (try? StatementProof(statement))?.strength.rawValue
            var differences: [StatementSampleResult.Difference] = []
            if strength != proof.rawValue {
                differences.append(.init(field: "proof", got: strength, expected: proof.rawValue))
            }
            let read = statement.lines.map {
                Line(day: $0.day, change: $0.change, text: $0.text, reference: $0.reference)
            }
            for index in 0..<max(read.count, lines.count) {
                let got = index < read.count ? read[index] : nil
                let expected = index < lines.count ? lines[index] : nil
                guard got != expected else { continue }
                differences.append(
                    .init(field: "line \(index + 1)", got: got?.description, expected: expected?.description))
            }
            return differences
        default: return [.init(field: "outcome", got: Self.outcome(result), expected: expectation.outcome)]
        }
    }

    private static func outcome(_ result: Result<BankStatement, StatementReadingError>) -> String {
        switch result {
        case .success: "a statement"
        case .failure(.noTable): "none"
        case .failure(let error): "refused: \(error)"
        }
    }
}

extension StatementSample.Expectation {
    fileprivate var outcome: String {
        switch self {
        case .none: "none"
        case .refused: "refused"
        case .statement: "a statement"
        }
    }
}
