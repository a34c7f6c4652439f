import Chronology
import InternetMessage
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
        let map = try node.mapping(
            allowing: ["name", "from", "sms", "date", "subject", "text", "html", "expect"] + keys)
        let body: Sample.Body
        switch (map["text"], map["html"]) {
        case (let text?, nil): body = .text(try text.string())
        case (nil, let html?): body = .html(try html.string())
        default: throw node.error("a sample needs either text or html")
        }
        let smsHeader = try readSMSHeader(map, bank)
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
            subject: try map["subject"]?.string() ?? "", body: body, smsHeader: smsHeader, expectation: expectation,
            line: node.line)
    }

    /// The sender of a sample that is an SMS.
    private func readSMSHeader(_ map: YAMLMapping, _ bank: Bank) throws(SourceError) -> SMSHeader? {
        guard let item = map["sms"] else { return nil }
        guard let header = SMSHeader(try item.string()) else {
            throw item.error(
                "'\(try item.string())' is not the header of an SMS sender", remedy: "Write it as in VM-HDFCBK.")
        }
        guard bank.smsHeaders.contains(header.name) else {
            throw item.error(
                "\(header.name) is not among the bank's SMS headers",
                remedy: bank.key.hasPrefix("_")
                    ? "Write SMS of a shared template into the _samples.yaml of a bank."
                    : "Add it to 'sms' in _bank.yaml.")
        }
        if let other = map["from"] ?? map["subject"] ?? map["html"] {
            throw other.error("an SMS has a text and neither sender's address, subject nor HTML")
        }
        return header
    }
}
