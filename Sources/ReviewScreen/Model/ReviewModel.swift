import Ledger
public import Store

/// The review screen without a terminal: keys and answers in, a picture and effects out. A pure value.
public struct ReviewModel: Sendable {
    struct Notice: Hashable {
        var text: String
        var isError = false
    }

    public internal(set) var size: Size
    /// No colours: fields are set off by their letters.
    let isLettered: Bool
    /// The terminal shows nothing beyond ASCII.
    let isASCII: Bool
    var queue: [ReviewLine] = []
    var total = 0
    /// Whether the queue was read at all.
    var isLoaded = false
    var index = 0
    var sheet: Sheet?
    var mode = Mode.browse
    var notice: Notice?
    /// Decided in this sitting.
    public internal(set) var done = 0
    /// First row of the mail's text that is shown; `nil`: where the amount is.
    var scroll: Int?
    /// First line of the fields and remarks that is shown where they do not all fit.
    var query = ""
    /// Where the words of a corrected field were pointed at.
    var pointed: [ReviewID: [Field: Range<Int>]] = [:]
    /// Items of which a field was put right.
    var corrected: Set<ReviewID> = []
    /// What was said of mails without a draft.
    var handDrafts: [ReviewID: HandDraft] = [:]
    /// Fields that are still to be asked for, one after the other.
    var asking: [Field]?
    /// To be shown once the queue was read again.
    var wanted: ReviewID?

    public init(size: Size, isLettered: Bool, isASCII: Bool = false) {
        self.size = size
        self.isLettered = isLettered
        self.isASCII = isASCII
    }

    var current: ReviewLine? { queue.indices.contains(index) ? queue[index] : nil }

    /// The sheet of the present item, if that is what was loaded.
    var shown: Sheet? { sheet.flatMap { $0.id == current?.id ? $0 : nil } }

    /// Where each field stands in the text: as it was read, or as it was pointed at since.
    var spans: [Field: Range<Int>] {
        guard let sheet = shown else { return [:] }
        return sheet.spans.merging(pointed[sheet.id] ?? [:]) { $1 }
    }

    var textRows: TextRows? {
        shown?.text.map { TextRows($0, spans: spans, columns: Geometry(size).text.width, lettered: isLettered) }
    }

    mutating func say(_ text: String, isError: Bool = false) { notice = Notice(text: text, isError: isError) }

    /// One key.
    public mutating func handle(_ key: Key) -> [Effect] {
        switch key {
        case .resize(let size):
            self.size = size
            return []
        case .tick: return mode == .browse ? [.refresh] : []
        case .control("l"): return [.redraw]
        case .control("c"): return [.quit]
        default: break
        }
        notice = nil
        if case .paste(let text) = key { return paste(text) }
        switch mode {
        case .browse: return browse(key)
        case .chooseField(let index): return chooseField(index, key)
        case .edit(let editing): return edit(editing, key)
        case .pick(let picker): return pick(picker, key)
        case .ask(let question): return ask(question, key)
        case .page(let page): return turn(page, key)
        case .type(let entry): return type(entry, key)
        }
    }

    private mutating func browse(_ key: Key) -> [Effect] {
        switch key {
        case .character("q"): return [.quit]
        case .character("?"):
            mode = .page(Help.page)
            return []
        case .character("u"): return [.undo]
        case .character("/"):
            mode = .type(Entry(prompt: "search: ", line: TextLine(), purpose: .search))
            return []
        case .character("n"): return find(by: 1)
        case .character("N"): return find(by: -1)
        case .character("j"), .down: return go(to: index + 1)
        case .character("k"), .up: return go(to: index - 1)
        case .character("g"), .home: return go(to: 0)
        case .character("G"), .end: return go(to: queue.count - 1)
        case .pageDown, .character(" "), .control("d"): return scroll(by: max(1, Geometry(size).text.height - 1))
        case .pageUp, .character("b"), .control("u"): return scroll(by: -max(1, Geometry(size).text.height - 1))
        case .character("J"): return scroll(by: 1)
        case .character("K"): return scroll(by: -1)
        default: return decide(key)
        }
    }

    /// Keys that need an item.
    private mutating func decide(_ key: Key) -> [Effect] {
        guard let sheet = shown else { return [] }
        switch key {
        case .character("a"): return sheet.item == nil ? book(sheet) : [.accept(sheet.id)]
        case .character("r"): return [.reject(sheet.id)]
        case .character("v"):
            guard sheet.possibleDuplicate != nil else {
                say("nothing says that this is a duplicate", isError: true)
                return []
            }
            return [.release(sheet.id)]
        case .character("e"), .tab:
            mode = .chooseField(0)
        case .character("c"): return [.categories(sheet.id)]
        case .character("i"): mode = .pick(.ignoreReasons)
        case .character("p"):
            guard let draft = handDraft else { return askForName(sheet) }
            // A template is made from what stands in the ledger.
            guard draft.isComplete else {
                say("first what it says: a or e asks for its fields", isError: true)
                return []
            }
            return [.draft(sheet.id, draft.list, draft.category)]
        default: break
        }
        return []
    }

    /// A template is made of a mail whose fields were put right.
    mutating func askForName(_ sheet: Sheet) -> [Effect] {
        guard sheet.text != nil, let item = sheet.item else {
            say("a template is made from the mail, and that is not kept", isError: true)
            return []
        }
        let name = "\(item.channel?.rawValue ?? "alert")-\(item.type.rawValue)"
        mode = .type(
            Entry(
                prompt: "name of the template: \(item.profile.map { $0 + "/" } ?? "")", line: TextLine(name),
                purpose: .templateName))
        return []
    }

    mutating func go(to target: Int) -> [Effect] {
        guard !queue.isEmpty else { return [] }
        let target = min(max(target, 0), queue.count - 1)
        guard target != index || shown == nil else {
            say(target == 0 ? "this is the first" : "this is the last")
            return []
        }
        index = target
        scroll = nil
        return [.load(queue[target].id)]
    }

    private mutating func scroll(by rows: Int) -> [Effect] {
        guard let text = textRows else { return [] }
        let height = Geometry(size).text.height
        scroll = min(max(0, firstRow(text) + rows), max(0, text.rows.count - height))
        return []
    }

    /// The row of the text at the top of its area.
    func firstRow(_ text: TextRows) -> Int {
        let height = Geometry(size).text.height
        let last = max(0, text.rows.count - height)
        var first = scroll ?? 0
        if scroll == nil, let words = shown?.text,
            let amount = spans[.amount] ?? spans.values.min(by: { $0.lowerBound < $1.lowerBound }),
            let word = words.words(in: amount)?.lowerBound
        {
            first = max(0, (text.row(ofWord: word) ?? 0) - height / 2)
        }
        if case .edit(let editing) = mode, editing.typed == nil, let word = editing.word,
            let row = text.row(ofWord: word)
        {
            if row < first { first = row }
            if row >= first + height { first = row - height + 1 }
        }
        return min(max(0, first), last)
    }

    /// The next line that holds every word of the query.
    mutating func find(by step: Int) -> [Effect] {
        let words = CategoryRules.normalized(query).split(separator: " ")
        guard !words.isEmpty, !queue.isEmpty else { return [] }
        for distance in 1...queue.count {
            let at = (index + step * distance % queue.count + queue.count) % queue.count
            let line = queue[at]
            let text = CategoryRules.normalized(
                [line.merchant, line.subject, line.sender, line.date, line.amount?.description].compactMap { $0 }
                    .joined(separator: " "))
            if words.allSatisfy({ text.contains($0) }) {
                if at == index {
                    say("only this one has '\(query)'")
                    return []
                }
                return go(to: at)
            }
        }
        say("nothing in the queue has '\(query)'", isError: true)
        return []
    }
}
