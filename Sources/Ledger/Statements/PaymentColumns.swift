/// The headings of the columns in a list of payments, as a payment app or another program exports it.
public struct PaymentColumns: Hashable, Sendable {
    public enum Column: String, CaseIterable, Hashable, Sendable {
        case date, text, amount, debit, credit, sign, reference, account, status, currency
    }

    /// The meaning of an amount whose direction neither a sign, nor a column, nor the text prints.
    public enum Unsigned: String, CaseIterable, Hashable, Sendable {
        /// The row is left out.
        case omitted
        case outgoing, incoming
    }

    /// The name, part of addresses: lower-case letters, digits and hyphens.
    public var name: String
    /// The headings of each column. A file has one of them; case, blanks and signs do not count.
    public var headings: [Column: [String]]
    public var dateOrder: DateOrder
    public var unsigned: Unsigned

    public init(
        name: String, headings: [Column: [String]], dateOrder: DateOrder = .dayFirst, unsigned: Unsigned = .omitted
    ) {
        self.name = name
        self.headings = headings
        self.dateOrder = dateOrder
        self.unsigned = unsigned
    }

    /// The choices for a file: a mapping of a person takes the place of a shipped one of the same name.
    public static func choices(_ shipped: [PaymentColumns], _ own: [PaymentColumns]) -> [PaymentColumns] {
        let names = Set(own.map(\.name))
        return shipped.filter { !names.contains($0.name) } + own
    }

    private static let longestName = 40
    private static let longestHeading = 100
    /// Headings of a column; an app has two or three forms of a file.
    private static let mostHeadings = 20
    /// Names with another meaning in addresses.
    private static let reserved: Set<String> = ["statement", "history", "mappings"]

    /// The reasons why it cannot be used; empty for a usable one.
    public var problems: [FieldProblem] {
        var problems: [FieldProblem] = []
        let isPlain = name.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
        }
        if name.isEmpty || name.utf8.count > Self.longestName || !isPlain {
            problems.append(
                FieldProblem("name", "must be 1 to \(Self.longestName) lower-case letters, digits and hyphens"))
        } else if Self.reserved.contains(name) {
            problems.append(FieldProblem("name", "'\(name)' has another meaning: choose another name"))
        }
        for column in [Column.date, .text] where headings[column]?.isEmpty != false {
            problems.append(FieldProblem(column.rawValue, "is required: the heading of that column"))
        }
        let hasBoth = [Column.debit, .credit].allSatisfy { headings[$0]?.isEmpty == false }
        if headings[.amount]?.isEmpty != false, !hasBoth {
            problems.append(
                FieldProblem("amount", "is required: the heading of that column, or those of debit and credit"))
        }
        for (column, texts) in headings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let isUsable =
                texts.count <= Self.mostHeadings
                && texts.allSatisfy {
                    $0.count <= Self.longestHeading && $0.contains { $0.isLetter || $0.isNumber }
                }
            if !isUsable {
                problems.append(
                    FieldProblem(
                        column.rawValue,
                        "must be at most \(Self.mostHeadings) headings of at most \(Self.longestHeading) characters, with letters or digits"
                    ))
            }
        }
        return problems
    }
}
