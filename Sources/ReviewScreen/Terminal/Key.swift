/// An input event of the terminal.
public enum Key: Hashable, Sendable {
    /// A printable character.
    case character(Character)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    case shiftLeft, shiftRight
    /// With Control, a lower-case letter.
    case control(Character)
    /// Pasted text on one line. It goes into the line that is being typed; its letters are not keys.
    case paste(String)
    case resize(Size)
    /// No input for a while: time to poll the database.
    case tick
}

/// The size of a terminal in character cells.
public struct Size: Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
    }
}
