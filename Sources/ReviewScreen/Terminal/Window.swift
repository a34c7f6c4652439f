import CNcurses
import Glibc

/// The terminal as an ncurses screen. Only one may exist, on one thread.
struct Window: ~Copyable {
    enum Failure: Error, CustomStringConvertible {
        case cannotOpen(String)

        var description: String {
            switch self {
            case .cannotOpen(let terminal):
                "the terminal '\(terminal)' cannot show a screen: set TERM to its type, or use 'parserctl review list'"
            }
        }
    }

    let hasColours: Bool
    let isASCII: Bool
    private let pollInterval: CInt
    private var attributes: [Style: (attributes: attr_t, pair: CShort)] = [:]

    /// - Parameters:
    ///   - wantsColours: false under NO_COLOR.
    ///   - pollInterval: milliseconds after which `key()` returns `tick`.
    init(wantsColours: Bool, pollInterval: CInt) throws(Failure) {
        isASCII = !Self.setUTF8()
        self.pollInterval = pollInterval
        guard nc_open() == 0 else { throw .cannotOpen(getenv("TERM").map { String(cString: $0) } ?? "") }
        cbreak()
        noecho()
        nonl()
        // Esc is a separate key unless the rest of a function key follows within this many milliseconds.
        set_escdelay(25)
        hasColours = wantsColours && nc_hasColours() != 0
        if hasColours {
            start_color()
            use_default_colors()
        }
        for (index, role) in Style.Role.allCases.enumerated() {
            for isChosen in [false, true] {
                attributes[Style(role: role, isChosen: isChosen)] = Self.attributes(
                    role, isChosen, CShort(index + 1), hasColours)
            }
        }
        if let screen = nc_screen() {
            keypad(screen, true)
            // `key()` waits itself: ncurses would continue to wait after a change of the window's size.
            wtimeout(screen, 0)
        }
    }

    deinit { nc_close() }

    /// Sets the locale.
    /// - Returns: true if it is UTF-8, which is also assumed if the environment names no locale.
    private static func setUTF8() -> Bool {
        setlocale(LC_ALL, "")
        func isUTF8() -> Bool { nl_langinfo(CInt(CODESET)).map { String(cString: $0) } == "UTF-8" }
        if isUTF8() { return true }
        let named = ["LC_ALL", "LC_CTYPE", "LANG"].contains { (name: String) in
            getenv(name).map { $0.pointee != 0 } ?? false
        }
        return !named && setlocale(LC_CTYPE, "C.UTF-8") != nil && isUTF8()
    }

    private static func attributes(
        _ role: Style.Role, _ isChosen: Bool, _ pair: CShort, _ inColour: Bool
    ) -> (attributes: attr_t, pair: CShort) {
        var attributes = nc_normal()
        var colour: Int32?
        switch role {
        case .plain: break
        case .dim: attributes |= nc_dim()
        case .bold: attributes |= nc_bold()
        case .bar: attributes |= nc_reverse()
        case .error: (colour, attributes) = (COLOR_RED, attributes | nc_bold())
        case .good: colour = COLOR_GREEN
        case .amount: (colour, attributes) = (COLOR_GREEN, attributes | nc_bold())
        case .counterparty: (colour, attributes) = (COLOR_YELLOW, attributes | nc_bold())
        case .moment: (colour, attributes) = (COLOR_CYAN, attributes | nc_bold())
        case .account: (colour, attributes) = (COLOR_MAGENTA, attributes | nc_bold())
        case .number: (colour, attributes) = (COLOR_BLUE, attributes | nc_bold())
        }
        if isChosen { attributes ^= nc_reverse() }
        guard inColour, let colour else {
            // Underlined instead of coloured.
            if colour != nil, role != .good { attributes |= nc_underline() }
            return (attributes, 0)
        }
        init_pair(pair, CShort(colour), -1)
        return (attributes, pair)
    }

    var size: Size { Size(columns: Int(nc_columns()), rows: Int(nc_rows())) }

    func show(_ picture: Picture) {
        nc_clear()
        for row in 0..<picture.canvas.size.rows {
            for run in picture.canvas.runs(row: row) where !(run.style == .plain && run.text.allSatisfy { $0 == " " }) {
                let style = attributes[run.style] ?? (nc_normal(), 0)
                nc_style(style.attributes, style.pair)
                nc_move(CInt(row), CInt(run.column))
                nc_put(run.text)
            }
        }
        nc_style(nc_normal(), 0)
        if let cursor = picture.canvas.cursor {
            nc_move(CInt(cursor.row), CInt(cursor.column))
            curs_set(1)
        } else {
            curs_set(0)
        }
        nc_refresh()
    }

    func redraw() { nc_redraw() }

    /// Discards input that was not read yet.
    func discardInput() { flushinp() }

    /// The next key; `nil` if the terminal is gone.
    func key() -> Key? {
        var emptyReads = 0
        var paste: Paste?
        while true {
            var value = wint_t()
            let kind = nc_get(&value)
            if kind == ERR {
                // Input is announced again and again without a byte: the end of the input, not a part of a character.
                if nc_isGone() != 0 || emptyReads > 20 { return nil }
                switch nc_wait(pollInterval) {
                // A paste without an end ends here.
                case 0: return paste.map { .paste($0.text) } ?? .tick
                case 1: emptyReads += 1
                // A resize, which the next read returns as a key, or the return from a suspension.
                default: break
                }
                continue
            }
            emptyReads = 0
            if kind == KEY_CODE_YES, value == UInt32(NC_PASTE_BEGINS) {
                paste = Paste()
                continue
            }
            if kind == KEY_CODE_YES, value == UInt32(NC_PASTE_ENDS) {
                if let paste { return .paste(paste.text) }
                continue
            }
            if paste != nil {
                if kind != KEY_CODE_YES { paste?.add(value) }
                continue
            }
            if kind == KEY_CODE_YES {
                if let key = functionKey(CInt(bitPattern: value)) { return key }
                continue
            }
            switch value {
            case 9: return .tab
            case 10, 13: return .enter
            case 27: return .escape
            case 8, 127: return .backspace
            case 1...26: return Unicode.Scalar(value + 0x60).map { .control(Character($0)) }
            default:
                guard let scalar = Unicode.Scalar(value), !Printable.cells(String(scalar)).isEmpty, value >= 0x20 else {
                    continue
                }
                return .character(Character(scalar))
            }
        }
    }

    private func functionKey(_ code: CInt) -> Key? {
        switch code {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_HOME: .home
        case KEY_END: .end
        case KEY_NPAGE: .pageDown
        case KEY_PPAGE: .pageUp
        case KEY_BTAB: .backTab
        case KEY_SLEFT: .shiftLeft
        case KEY_SRIGHT: .shiftRight
        case KEY_BACKSPACE: .backspace
        case KEY_DC: .delete
        case KEY_ENTER: .enter
        case KEY_RESIZE: .resize(size)
        default: nil
        }
    }
}
