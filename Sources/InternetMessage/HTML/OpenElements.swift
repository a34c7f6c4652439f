/// The stack of open elements during rendering, with the inherited state of each.
///
/// Implements the tree construction rules (HTML standard, section 13.2.6) that decide where an element ends: omitted
/// end tags, end tags without a start tag, and overlapping formatting elements.
struct OpenElements {
    /// True if more elements than the limit were open at once. Elements above the limit are not tracked.
    private(set) var isOverfull = false

    private var stack: [Entry] = []
    private var current: State = []
    /// The open elements that declare colours, outermost first.
    private var painted: [Painted] = []
    private var paint = Paint()
    private let limit: Int

    private struct State: OptionSet {
        let rawValue: UInt8
        static let removed = State(rawValue: 1)
        static let fontZero = State(rawValue: 2)
        static let invisible = State(rawValue: 4)
        static let keepsLines = State(rawValue: 8)
        static let foreign = State(rawValue: 16)
        /// Text in the colour of its background.
        static let camouflaged = State(rawValue: 32)
        static let faint = State(rawValue: 64)
        static let doubtful = State(rawValue: 128)
        static let notShown: State = [.removed, .fontZero, .invisible, .camouflaged]
        /// A reader may not see text.
        static let uncertain: State = [.faint, .doubtful]
    }

    private struct Entry {
        let name: UInt64
        let element: HTMLElement
        let display: HTMLElement.Display
        /// The state bits that the element itself adds to and removes from the inherited state.
        let sets: State
        let clears: State
        var state: State
        /// Offset of the element's name in the document.
        let start: Int
    }

    /// The colours of an open element that declares some.
    private struct Painted {
        /// The number of elements below it in the stack.
        var index: Int
        let declared: DeclaredPaint
        var paint: Paint
    }

    init(limit: Int) {
        self.limit = limit
        stack.reserveCapacity(64)
    }

    /// True if text is visible here.
    var isShown: Bool { current.isDisjoint(with: .notShown) }
    /// True if a reader may not see the text that is shown here.
    var isUncertain: Bool { !current.isDisjoint(with: .uncertain) }
    /// True if the computed colours are not certain: then text in the colour of its background is shown.
    var hasUncertainColors = false
    /// True if elements take up space here, visible or not.
    var isLaidOut: Bool { !current.contains(.removed) }
    var keepsLines: Bool { current.contains(.keepsLines) }
    var isForeign: Bool { current.contains(.foreign) }
    /// True if only html and body are open.
    var isAtDocument: Bool { stack.last.map { $0.element.group == .document } ?? true }

    /// Opens an element. Returns its separation from the text before it.
    mutating func push(
        _ element: HTMLElement, _ tag: HTMLTokens.Tag, style: InlineStyle?, paint declared: DeclaredPaint?
    ) -> HTMLElement.Display {
        var sets: State = []
        var clears: State = []
        var display = element.display
        if element.traits.contains(.preformatted) { sets.insert(.keepsLines) }
        if element.traits.contains(.foreign) { sets.insert(.foreign) }
        var isRemoved = element.traits.contains(.hidden)
        if let style {
            if tag.isHidden, style.display.value == nil { isRemoved = true }
            if style.removes { isRemoved = true }
            Self.apply(style.isFontZero.value, .fontZero, &sets, &clears)
            Self.apply(style.isInvisible.value, .invisible, &sets, &clears)
            Self.apply(style.keepsLines.value, .keepsLines, &sets, &clears)
            if let shown = style.display.value {
                switch shown {
                case .block where display == .inline: display = .block
                // Never joins two words that a reader sees separately.
                case .inline where display == .block && !element.traits.contains(.void): display = .cell
                default: break
                }
            }
        } else if tag.isHidden {
            isRemoved = true
        }
        if isRemoved { sets.insert(.removed) }
        guard stack.count < limit else {
            isOverfull = true
            return display
        }
        current = current.subtracting(clears).union(sets)
        if let declared {
            apply(declared)
            painted.append(Painted(index: stack.count, declared: declared, paint: paint))
        }
        stack.append(
            Entry(
                name: tag.name, element: element, display: display, sets: sets, clears: clears, state: current,
                start: tag.nameStart))
        return display
    }

    /// Returns true if text of an element with this paint would have the colour of its background.
    func wouldCamouflage(_ declared: DeclaredPaint) -> Bool { paint.with(declared).contrast == .none }

    /// Changes the state to that of an element with its own paint.
    private mutating func apply(_ declared: DeclaredPaint) {
        if declared.isDoubtful { current.insert(.doubtful) }
        let changed = paint.with(declared)
        guard changed != paint else { return }
        paint = changed
        current.subtract([.camouflaged, .faint])
        switch paint.contrast {
        case .clear: break
        case .doubtful: current.insert(.faint)
        case .none: current.insert(hasUncertainColors || current.contains(.doubtful) ? .faint : .camouflaged)
        }
    }

    private static func apply(_ value: Bool?, _ state: State, _ sets: inout State, _ clears: inout State) {
        guard let value else { return }
        if value {
            sets.insert(state)
            clears.remove(state)
        } else {
            clears.insert(state)
            sets.remove(state)
        }
    }

    /// Pops a void element that was just pushed.
    mutating func popVoid() {
        guard let last = stack.last, last.element.traits.contains(.void) else { return }
        pop()
    }

    /// Closes the elements that an end tag ends. Returns the widest separation among the displayed ones.
    mutating func close(_ element: HTMLElement, name: UInt64) -> HTMLElement.Display {
        if element.traits.contains(.void) {
            // `</br>` is a line break. End tags of other void elements are ignored.
            return isLaidOut && element.display == .block && !element.traits.contains(.closesParagraph)
                ? .block : .inline
        }
        // Text after `</body>` is displayed in the body.
        guard element.group != .document, let index = find(element, name: name) else {
            // `</p>` without a start tag is an empty paragraph.
            return isLaidOut && element.group == .paragraph ? .block : .inline
        }
        return element.traits.contains(.formatting) ? remove(at: index) : closeAll(from: index)
    }

    /// Closes the elements that the start tag of `next` ends.
    mutating func closeImplied(by next: HTMLElement) -> HTMLElement.Display {
        var display = HTMLElement.Display.inline
        if current.contains(.foreign), next.display != .inline, !next.traits.contains(.foreign) {
            // HTML inside SVG closes the SVG (section 13.2.6.5).
            if let index = stack.lastIndex(where: { $0.element.traits.contains(.foreign) }) {
                _ = closeAll(from: index)
            }
        }
        switch next.group {
        case .listItem, .term: display = closeItem(next.group)
        case .option: display = closeTop { $0 == .option }
        case .optionGroup: display = closeTop { $0 == .option || $0 == .optionGroup }
        case .heading: display = closeTop { $0 == .heading }
        case .cell, .row, .rowGroup: display = closeTableParts(next.group)
        case .anchor:
            if let index = stack.lastIndex(where: { $0.element.group == .anchor || $0.element.traits.contains(.scope) }
            ),
                stack[index].element.group == .anchor
            {
                display = remove(at: index)
            }
        default: break
        }
        if next.traits.contains(.closesParagraph), let index = findParagraph() {
            display = Self.wider(display, closeAll(from: index))
        }
        return display
    }

    /// Returns the open element that an end tag ends; nil if there is none.
    private func find(_ element: HTMLElement, name: UInt64) -> Int? {
        for index in stack.indices.reversed() {
            let entry = stack[index]
            if entry.name == name || element.group == .heading && entry.element.group == .heading { return index }
            switch element.group {
            case .table, .row, .rowGroup, .cell:
                if entry.element.group == .table { return nil }
            default:
                if entry.element.traits.contains(.scope) { return nil }
                let crosses = element.traits.contains(.special) || element.traits.contains(.formatting)
                if !crosses, entry.element.traits.contains(.special) { return nil }
            }
        }
        return nil
    }

    private func findParagraph() -> Int? {
        for index in stack.indices.reversed() {
            if stack[index].element.group == .paragraph { return index }
            if stack[index].element.traits.contains(.scope) { return nil }
        }
        return nil
    }

    /// A list item closes the previous item of the same list, but not the item that contains the list.
    private mutating func closeItem(_ group: HTMLElement.Group) -> HTMLElement.Display {
        for index in stack.indices.reversed() {
            let element = stack[index].element
            if element.group == group { return closeAll(from: index) }
            if element.traits.contains(.special), element.group != .paragraph, element.display != .block {
                return .inline
            }
            if element.traits.contains(.scope) || Self.isList(stack[index].name) { return .inline }
        }
        return .inline
    }

    private static let lists: [UInt64] = ["ul", "ol", "dl", "menu", "dir"].map {
        $0.utf8.reduce(HTMLElement.hashSeed, HTMLElement.hash)
    }

    private static func isList(_ name: UInt64) -> Bool { lists.contains(name) }

    private mutating func closeTop(_ test: (HTMLElement.Group) -> Bool) -> HTMLElement.Display {
        var display = HTMLElement.Display.inline
        while let last = stack.last, test(last.element.group) {
            display = Self.wider(display, closeAll(from: stack.count - 1))
        }
        return display
    }

    /// A cell closes the previous cell, a row the previous row, a row group the previous group, within the table.
    private mutating func closeTableParts(_ group: HTMLElement.Group) -> HTMLElement.Display {
        var lowest: Int?
        for index in stack.indices.reversed() {
            let found = stack[index].element.group
            if found == .table { break }
            switch found {
            case .cell: lowest = index
            case .row where group != .cell: lowest = index
            case .rowGroup where group == .rowGroup: lowest = index
            default: break
            }
        }
        return lowest.map { closeAll(from: $0) } ?? .inline
    }

    private mutating func closeAll(from index: Int) -> HTMLElement.Display {
        var display = HTMLElement.Display.inline
        while stack.count > index { display = Self.wider(display, pop()) }
        return display
    }

    /// Removes one element below others, which stay open: a simple form of the adoption agency algorithm.
    private mutating func remove(at index: Int) -> HTMLElement.Display {
        if index == stack.count - 1 { return pop() }
        let entry = stack.remove(at: index)
        let isPainted = painted.contains { $0.index == index }
        painted.removeAll { $0.index == index }
        for place in painted.indices where painted[place].index > index { painted[place].index -= 1 }
        if entry.sets.isEmpty, entry.clears.isEmpty, !isPainted { return .inline }
        recompute(from: index)
        return .inline
    }

    private mutating func recompute(from index: Int) {
        current = index > 0 ? stack[index - 1].state : []
        var next = painted.firstIndex { $0.index >= index } ?? painted.count
        paint = next > 0 ? painted[next - 1].paint : Paint()
        for above in index..<stack.count {
            current = current.subtracting(stack[above].clears).union(stack[above].sets)
            if next < painted.count, painted[next].index == above {
                apply(painted[next].declared)
                painted[next].paint = paint
                next += 1
            }
            stack[above].state = current
        }
    }

    /// The offsets of the names of the open elements, outermost first.
    var starts: [Int] { stack.map(\.start) }

    /// Replaces what each open element declares: a style sheet was added.
    mutating func repaint(_ declared: [DeclaredPaint?]) {
        painted = declared.enumerated().compactMap { index, paint in
            paint.map { Painted(index: index, declared: $0, paint: Paint()) }
        }
        recompute(from: 0)
    }

    @discardableResult
    private mutating func pop() -> HTMLElement.Display {
        guard let last = stack.popLast() else { return .inline }
        current = stack.last?.state ?? []
        if let top = painted.last, top.index == stack.count {
            painted.removeLast()
            paint = painted.last?.paint ?? Paint()
        }
        return last.state.contains(.removed) ? .inline : last.display
    }

    private static func wider(_ one: HTMLElement.Display, _ other: HTMLElement.Display) -> HTMLElement.Display {
        one.rawValue >= other.rawValue ? one : other
    }
}
