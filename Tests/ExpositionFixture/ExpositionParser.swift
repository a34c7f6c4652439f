/// A strict parser of Prometheus' exposition format 0.0.4, written from its specification and independent of our
/// writer.
public struct ExpositionParser {
    struct Fault: Error, CustomStringConvertible { let description: String }

    public struct Sample: Hashable {
        public var name: String
        public var labels: [String: String]
        public var value: Double
    }

    public private(set) var samples: [Sample] = []
    public private(set) var types: [String: String] = [:]
    public private(set) var helps: [String: String] = [:]

    public init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw Fault(description: "the last line has no end") }
        var closed: Set<String> = []
        var current = ""
        var seen: Set<[String: String]> = []
        func enter(_ name: String) throws {
            guard name != current else { return }
            guard closed.insert(name).inserted else { throw Fault(description: "\(name) occurs in two places") }
            current = name
            seen = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            var rest = line[...]
            if line.hasPrefix("# ") {
                let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
                guard words.count == 4, try Self.isName(words[2]) else { throw Fault(description: "\(line)") }
                try enter(words[2])
                switch words[1] {
                case "HELP":
                    guard helps.updateValue(try Self.unescaped(words[3], quotes: false), forKey: words[2]) == nil else {
                        throw Fault(description: "\(line)")
                    }
                case "TYPE":
                    guard ["counter", "gauge", "histogram", "summary", "untyped"].contains(words[3]),
                        types.updateValue(words[3], forKey: words[2]) == nil,
                        !samples.contains(where: { $0.name == words[2] })
                    else { throw Fault(description: "\(line)") }
                default: throw Fault(description: "\(line)")
                }
                continue
            }
            let name = String(rest.prefix { $0 != "{" && $0 != " " })
            guard try Self.isName(name) else { throw Fault(description: "\(line)") }
            try enter(name)
            rest = rest.dropFirst(name.count)
            let labels = try Self.labels(&rest)
            guard rest.first == " ", let value = Self.value(rest.dropFirst()) else {
                throw Fault(description: "no value: \(line)")
            }
            guard seen.insert(labels).inserted else { throw Fault(description: "the same labels twice: \(line)") }
            samples.append(Sample(name: name, labels: labels, value: value))
        }
    }

    private static func isName(_ text: String) throws -> Bool {
        try #/[a-zA-Z_:][a-zA-Z0-9_:]*/#.wholeMatch(in: text) != nil
    }

    private static func value(_ text: Substring) -> Double? {
        switch text {
        case "NaN": .nan
        case "+Inf": .infinity
        case "-Inf": -.infinity
        default: Double(text)
        }
    }

    private static func labels(_ rest: inout Substring) throws -> [String: String] {
        guard rest.first == "{" else { return [:] }
        var labels: [String: String] = [:]
        rest = rest.dropFirst()
        while rest.first != "}" {
            let name = String(rest.prefix { $0 != "=" })
            guard try #/[a-zA-Z_][a-zA-Z0-9_]*/#.wholeMatch(in: name) != nil else {
                throw Fault(description: "label \(name)")
            }
            rest = rest.dropFirst(name.count + 1)
            guard rest.popFirst() == "\"" else { throw Fault(description: "label \(name) without quotes") }
            var value = ""
            while let character = rest.popFirst(), character != "\"" {
                value.append(character)
                if character == "\\" { value.append(rest.popFirst() ?? " ") }
            }
            guard labels.updateValue(try unescaped(value, quotes: true), forKey: name) == nil else {
                throw Fault(description: "label \(name) twice")
            }
            if rest.first == "," {
                rest = rest.dropFirst()
            } else if rest.first != "}" {
                throw Fault(description: "after label \(name)")
            }
        }
        rest = rest.dropFirst()
        return labels
    }

    private static func unescaped(_ text: String, quotes: Bool) throws -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\\" else {
                result.append(character)
                continue
            }
            switch rest.popFirst() {
            case "\\": result += "\\"
            case "n": result += "\n"
            case "\"" where quotes: result += "\""
            default: throw Fault(description: "an escape in \(text)")
            }
        }
        return result
    }
}
