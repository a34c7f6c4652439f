/// What a person did at the terminal, or what the terminal itself tells.
public enum Key: Hashable, Sendable {
    /// A printable character as it was typed.
    case character(Character)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    case shiftLeft, shiftRight
    /// With Control, a lower-case letter.
    case control(Character)
    /// What was pasted, on one line: it goes into a line that is being typed and acts as no key.
    case paste(String)
    case resize(Size)
    /// Nobody typed for a while: time to look at the database.
    case tick
}

/// A terminal's, in character cells.
public struct Size: Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
    }
}
