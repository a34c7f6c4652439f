import Chronology
import Ledger
import YAMLSource

extension TemplateReader {
    /// `_samples.yaml`: mails of a bank, each with the template that must claim it.
    func readSamples(_ file: YAMLFile, of bank: Bank) throws(SourceError) -> [BankSample] {
        let known = Set(bank.allTemplates.map(\.name))
        var samples: [BankSample] = []
        for node in try file.root().mapping(allowing: ["samples"]).require("samples").list() {
            let named = try node.mapping().require("template")
            let template = try named.string()
            guard known.contains(template) else {
                throw named.error(
                    "'\(template)' is not a template of this bank",
                    remedy: "Name one of its folder, or of a folder under 'shared' in its _bank.yaml.")
            }
            samples.append(
                BankSample(template: template, sample: try readSample(node, bank, more: ["template"]), path: file.path))
        }
        return samples
    }

    func readSample(_ node: YAMLNode, _ bank: Bank, more keys: [String] = []) throws(SourceError) -> Sample {
        let map = try node.mapping(allowing: ["name", "from", "date", "subject", "text", "html", "expect"] + keys)
        let body: Sample.Body
        switch (map["text"], map["html"]) {
        case (let text?, nil): body = .text(try text.string())
        case (nil, let html?): body = .html(try html.string())
        default: throw node.error("a sample needs either text or html")
        }
        // A sample without one loads, so that `parserctl test --accept` can write it; it fails the test until then.
        var expectation = Sample.Expectation.missing
        var day: CalendarDate?
        if let expect = map["expect"], expect.isScalar {
            switch try expect.string() {
            case "": expectation = .missing
            case "none": expectation = .none
            case "ignored": expectation = .ignored
            default: throw expect.error("'none', 'ignored' or the expected fields are expected here")
            }
        } else if let expect = map["expect"], let notice = try readNoticeExpectation(expect) {
            (expectation, day) = notice
        } else if let expect = map["expect"] {
            var fields: [Field: String] = [:]
            let map = try expect.mapping(allowing: Field.allCases.map(\.rawValue))
            for (key, _) in map.keys {
                if let field = Field(rawValue: key), let value = map[key] { fields[field] = try value.string() }
            }
            if let text = fields[.date] {
                day = CalendarDate(iso: text)
                if day == nil {
                    throw (map["date"] ?? expect).error("'\(text)' is not a date", remedy: "Write yyyy-mm-dd.")
                }
            }
            expectation = .fields(fields)
        }
        guard
            let address = try map["from"]?.string() ?? bank.addresses.sorted().first
                ?? bank.domains.first.map({ "alerts@" + $0 })
        else {
            throw node.error("a sample needs 'from'")
        }
        return Sample(
            name: try map.require("name").string(), from: address,
            date: try map["date"]?.string() ?? Sample.arrival(on: day),
            subject: try map["subject"]?.string() ?? "", body: body, expectation: expectation, line: node.line)
    }
}
