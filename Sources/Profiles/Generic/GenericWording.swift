import Ledger
import PCRE2
import YAMLSource

/// Patterns of `_generic.yaml`, by which the generic reader reads amounts, their labels, directions and fields.
struct GenericWording: Sendable {
    let money: Pattern
    let moneyGroups: FieldGroups
    /// An amount in digits, or with signs, that `money` does not read.
    let unread: Pattern
    /// A label before or after an amount; its groups are named after ``GenericReader/Role``.
    let labelBefore: Pattern
    let labelAfter: Pattern
    let movement: Pattern
    let incoming: Pattern
    let outgoing: Pattern
    /// A fee or a reward that was booked, which makes its amount the amount of the transaction.
    let taken: Pattern
    let doubtful: Pattern
    /// Digits of an account or a card after their mask, with any name for the account.
    let masked: Pattern
    let channels: [(channel: Channel, pattern: Pattern)]
    /// Tried in order; the first that reads a field counts.
    let fields: [(field: Field, pattern: Pattern)]
    /// A completed movement of money, in words that cannot be a condition or an offer.
    let settled: Pattern
    let settledGroups: FieldGroups
    /// Payee or payer named by a sentence; used in the sentence of the amount only.
    let counterparty: Pattern
    /// All patterns, for their samples.
    let all: [WordingPattern]

    init(_ source: YAMLFile, samples: Bool) throws(SourceError) {
        var reader = try Reader(source, samples: samples)
        money = try reader.wording("money", groups: ["amount"])
        moneyGroups = FieldGroups(money)
        unread = try reader.wording("unread")
        labelBefore = try reader.wording("label_before", readsWholeText: false)
        labelAfter = try reader.wording("label_after", readsWholeText: false)
        movement = try reader.wording("movement")
        incoming = try reader.wording("incoming")
        outgoing = try reader.wording("outgoing")
        taken = try reader.wording("taken")
        doubtful = try reader.wording("doubtful")
        masked = try reader.wording("masked", groups: ["account"])
        settled = try reader.wording("settled", groups: ["amount"])
        settledGroups = FieldGroups(settled)
        counterparty = try reader.wording("counterparty", groups: ["merchant"])
        channels = try reader.channels()
        fields = try reader.fields(masked: masked)
        all = reader.read
    }

    private struct Reader {
        private let file: WordingFile
        private let map: YAMLMapping
        private(set) var read: [WordingPattern] = []

        private static let names = [
            "money", "unread", "label_before", "label_after", "movement", "incoming", "outgoing", "taken", "doubtful",
            "masked",
            "settled", "counterparty",
        ]

        init(_ source: YAMLFile, samples: Bool) throws(SourceError) {
            file = try WordingFile(source, keys: ["wording", "channels", "fields"], samples: samples)
            map = try file.map.require("wording").mapping(allowing: Self.names)
        }

        mutating func wording(
            _ name: String, groups: Set<String> = [], readsWholeText: Bool = true
        ) throws(SourceError) -> Pattern {
            try keep(file.pattern(map.require(name), name, groups: groups, readsWholeText: readsWholeText))
        }

        mutating func channels() throws(SourceError) -> [(channel: Channel, pattern: Pattern)] {
            var found: [(channel: Channel, pattern: Pattern)] = []
            for node in try file.map.require("channels").list() {
                let name = try node.mapping().require("channel")
                guard let channel = Channel(rawValue: try name.string()) else {
                    throw name.error(
                        "unknown channel",
                        remedy: "Known are \(Channel.allCases.map(\.rawValue).joined(separator: ", ")).")
                }
                let pattern = try file.pattern(node, "channels/\(channel.rawValue)", keys: ["channel"])
                found.append((channel, keep(pattern)))
            }
            return found
        }

        mutating func fields(masked: Pattern) throws(SourceError) -> [(field: Field, pattern: Pattern)] {
            var found: [(field: Field, pattern: Pattern)] = []
            for (index, node) in try file.map.require("fields").list().enumerated() {
                let map = try node.mapping()
                let name = try map.require("field")
                guard let field = Field(rawValue: try name.string()) else {
                    throw name.error(
                        "unknown field", remedy: "Known are \(Field.allCases.map(\.rawValue).joined(separator: ", ")).")
                }
                if let wording = map["wording"] {
                    guard try wording.string() == "masked", field == .account else {
                        throw wording.error("only 'masked' can be named here, for the account")
                    }
                    found.append((field, masked))
                } else {
                    let pattern = try file.pattern(
                        node, "fields/\(index + 1) \(field.rawValue)", groups: [field.rawValue], keys: ["field"])
                    found.append((field, keep(pattern)))
                }
            }
            return found
        }

        private mutating func keep(_ pattern: WordingPattern) -> Pattern {
            read.append(pattern)
            return pattern.pattern
        }
    }
}
