import Ledger
import YAMLSource

extension PaymentColumns {
    /// The mappings of `_payment-lists.yaml`, in the order of the file.
    static func mappings(in file: YAMLFile) throws(SourceError) -> [PaymentColumns] {
        let root = try file.root().mapping()
        var mappings: [PaymentColumns] = []
        for (name, place) in root.keys {
            guard
                let map = try root[name]?.mapping(
                    allowing: Column.allCases.map(\.rawValue) + ["date_order", "unsigned"])
            else { continue }
            var mapping = PaymentColumns(name: name, headings: [:])
            for column in Column.allCases {
                if let node = map[column.rawValue] { mapping.headings[column] = try node.strings() }
            }
            mapping.dateOrder = try word(map["date_order"]) ?? .dayFirst
            mapping.unsigned = try word(map["unsigned"]) ?? .omitted
            if let problem = mapping.problems.first {
                throw place.error("'\(problem.field)' \(problem.detail)")
            }
            mappings.append(mapping)
        }
        return mappings
    }

    private static func word<Value: RawRepresentable & CaseIterable>(
        _ node: YAMLNode?
    ) throws(SourceError) -> Value? where Value.RawValue == String {
        guard let node else { return nil }
        guard let value = Value(rawValue: try node.string()) else {
            throw node.error(
                "unknown value", remedy: "Write one of: \(Value.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return value
    }
}
