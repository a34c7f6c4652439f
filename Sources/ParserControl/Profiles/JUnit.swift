import ProfileAuthoring
import Profiles

/// The results of the samples as JUnit XML, as Jenkins, GitLab and GitHub Actions read it: a suite for each bank, a
/// case for each sample.
enum JUnit {
    static func document(_ results: [SampleResult]) -> String {
        var suites: [(bank: String, results: [SampleResult])] = []
        for result in results {
            if suites.last?.bank == result.bank {
                suites[suites.count - 1].results.append(result)
            } else {
                suites.append((result.bank, [result]))
            }
        }
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites \(counts("parserctl test", results))>\n"
        for suite in suites {
            text += "  <testsuite \(counts(suite.bank, suite.results)) skipped=\"0\">\n"
            for result in suite.results { text += testCase(result) }
            text += "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }

    private static func counts(_ name: String, _ results: [SampleResult]) -> String {
        let time = results.reduce(Duration.zero) { $0 + $1.time }
        return
            "name=\"\(attribute(name))\" tests=\"\(results.count)\" failures=\"\(results.lazy.filter { !$0.holds }.count)\" errors=\"0\" time=\"\(seconds(time))\""
    }

    private static func testCase(_ result: SampleResult) -> String {
        let head =
            "    <testcase classname=\"\(attribute(result.template))\" name=\"\(attribute(result.sample))\" file=\"\(attribute(result.path))\" line=\"\(result.line)\" time=\"\(seconds(result.time))\""
        if result.holds { return head + "/>\n" }
        let lines =
            ["\(result.path):\(result.line): \(result.template), sample '\(result.sample)'"]
            + result.diff.flatMap { ["- " + $0.expected, "+ " + $0.got] }
        return head
            + ">\n      <failure type=\"\(result.isUnwritten ? "no expectation" : "differs")\" message=\"\(attribute(result.headline))\">"
            + content(lines.joined(separator: "\n")) + "</failure>\n    </testcase>\n"
    }

    /// Seconds with three decimals in any locale.
    private static func seconds(_ time: Duration) -> String {
        let thousandths = Int(time / Duration.milliseconds(1))
        let fraction = "\(thousandths % 1000)"
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    /// XML 1.0 section 2.4; a line break in an attribute would be read as a blank (section 3.3.3).
    static func attribute(_ text: String) -> String { escaped(text, isAttribute: true) }
    static func content(_ text: String) -> String { escaped(text, isAttribute: false) }

    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: result += "&amp;"
            case 0x3C: result += "&lt;"
            case 0x3E: result += "&gt;"
            case 0x22: result += "&quot;"
            case 0x0D: result += "&#13;"
            case 0x09, 0x0A:
                if isAttribute { result += "&#\(scalar.value);" } else { result.unicodeScalars.append(scalar) }
            // Section 2.2: XML allows neither other control characters nor the two noncharacters.
            case 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: result.unicodeScalars.append(scalar)
            default: result += "\u{FFFD}"
            }
        }
        return result
    }
}

extension SampleResult {
    /// A pair of lines for each field that differs.
    var diff: [(expected: String, got: String)] {
        differences.map {
            (expected: "\($0.field): \($0.expected ?? "nothing")", got: "\($0.field): \($0.got ?? "nothing")")
        }
    }

    /// The differences in one line.
    var headline: String {
        if isUnwritten {
            return got == nil
                ? "it has no 'expect:'" : "it has no 'expect:': 'parserctl test --accept' writes what is read now"
        }
        return differences.map { "\($0.field): expected \($0.expected ?? "nothing"), got \($0.got ?? "nothing")" }
            .joined(separator: "; ")
    }
}
