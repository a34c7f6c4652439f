/// Builds text in the Prometheus exposition format 0.0.4.
public struct Exposition {
    public enum Kind: String, Sendable { case counter, gauge }

    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    public struct Sample {
        public var labels: [(name: String, value: String)]
        public var value: Double

        public init(_ labels: [(name: String, value: String)], _ value: Double) {
            self.labels = labels
            self.value = value
        }
    }

    public private(set) var text = ""

    public init() {}

    /// Appends a metric family; nothing if there are no samples.
    public mutating func family(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text += name
            if !sample.labels.isEmpty {
                text +=
                    "{"
                    + sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(
                        separator: ",") + "}"
            }
            text += " \(Self.number(sample.value))\n"
        }
    }

    public mutating func gauge(_ name: String, _ help: String, _ value: Double) {
        family(name, .gauge, help, [Sample([], value)])
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
