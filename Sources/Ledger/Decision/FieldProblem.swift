public import Chronology

/// A fault in one value that is to be stored or used.
public struct FieldProblem: Hashable, Sendable {
    /// The column's name.
    public var field: String
    /// The fault and its remedy. Does not repeat the value.
    public var detail: String

    /// `nil` for a fault that is described in English only.
    public var fault: FieldFault?

    public init(_ field: String, _ detail: String) {
        self.field = field
        self.detail = detail
    }

    public init(_ field: String, _ fault: FieldFault) {
        self.init(field, fault.detail)
        self.fault = fault
    }

    /// The same problem of another field, such as an element of a list.
    public func renamed(_ field: String) -> FieldProblem {
        var problem = self
        problem.field = field
        return problem
    }
}

/// Length limits for texts from people and clients, in Unicode scalars: far above typical values, and low enough for a
/// page with thousands of them.
public enum TextLimit {
    /// Names of categories, accounts, ledgers, devices.
    public static let name = 120
    /// Counterparty: banks print up to 140.
    public static let merchant = 200
    public static let reference = 120
    public static let tag = 60
    public static let notes = 2000
    public static let keyword = 120
    /// A pattern of this size is checked against hostile texts in a second or two.
    public static let pattern = 1000
    /// A whole alert as text.
    public static let sample = 200_000
    /// APNs tokens have 64 to 200 characters.
    public static let token = 512
    public static let key = 255
}

/// Collector of faults in values.
public struct FieldCheck: Sendable {
    public private(set) var problems: [FieldProblem] = []

    public init() {}

    public mutating func refuse(_ field: String, _ detail: String) { problems.append(FieldProblem(field, detail)) }

    public mutating func refuse(_ field: String, _ fault: FieldFault) { problems.append(FieldProblem(field, fault)) }

    public mutating func refuse(_ problem: FieldProblem) { problems.append(problem) }

    /// - Parameter lines: true if line feeds and tabs are allowed.
    public mutating func text(
        _ field: String, _ value: String?, atMost limit: Int, lines: Bool = false, mayBeEmpty: Bool = false
    ) {
        guard let value else { return }
        if !mayBeEmpty, value.unicodeScalars.allSatisfy(Self.isInvisible) { return refuse(field, .empty) }
        var count = 0
        for scalar in value.unicodeScalars {
            count += 1
            if count > limit { return refuse(field, .tooLong(limit)) }
            if lines, scalar == "\n" || scalar == "\t" || scalar == "\r" { continue }
            guard !Self.isControl(scalar) else { return refuse(field, .controlCharacters) }
        }
    }

    /// A currency of ISO 4217.
    public mutating func currency(_ field: String, _ currency: Currency?) {
        if let currency, !currency.isKnown { refuse(field, .currency) }
    }

    /// A day of this century: another one is a slip of the keyboard.
    public mutating func century(_ field: String, _ day: CalendarDate?) {
        if let day, !(2000...2099).contains(day.year) { refuse(field, .century) }
    }

    /// White space, and characters without a glyph of their own, such as ZERO WIDTH SPACE (Unicode, section 5.21),
    /// controls, private-use and unassigned code points.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || scalar == braillePatternBlank {
            return true
        }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }

    /// U+2800: a symbol by its category, and blank.
    private static let braillePatternBlank: Unicode.Scalar = "\u{2800}"

    /// C0 and C1 controls, line separators, and characters that change the direction of text.
    public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
        // Noncharacters (Unicode, section 23.7).
        case 0xFDD0...0xFDEF, 0xFFFE, 0xFFFF: true
        default: false
        }
    }
}
