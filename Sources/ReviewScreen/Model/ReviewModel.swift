import Chronology
import Ledger
import Review
internal import Store

/// The state of the review screen: keys and answers in, a picture and effects out. It does no I/O.
public struct ReviewModel: Sendable {
    struct Notice: Hashable {
        var text: String
        var isError = false
    }

    public internal(set) var size: Size
    /// Marks fields by their letters, for terminals without colours.
    let isLettered: Bool
    /// The terminal shows ASCII only.
    let isASCII: Bool
    var queue: [ReviewLine] = []
    var total = 0
    /// False until the queue was read for the first time.
    var isLoaded = false
    var index = 0
    var content: ReviewItemContent?
    var mode = Mode.browse
    var notice: Notice?
    /// The number of items decided in this session.
    public internal(set) var done = 0
    /// The first row of the mail's text that is shown; `nil` for the one around the amount.
    var scroll: Int?
    /// The last search.
    var query = ""
    /// The words that were selected for corrected fields.
    var selected: [ReviewID: [Field: Range<Int>]] = [:]
    /// Items with a corrected field.
    var corrected: Set<ReviewID> = []
    /// The values given for mails without a draft.
    var manualDrafts: [ReviewID: ManualDraft] = [:]
    /// Fields that are still to be asked for; `nil` outside a series of questions.
    var asking: [Field]?
    /// The item to show after the queue was read again.
    var requested: ReviewID?

    public init(size: Size, isLettered: Bool, isASCII: Bool = false) {
        self.size = size
        self.isLettered = isLettered
        self.isASCII = isASCII
    }

    var current: ReviewLine? { queue.indices.contains(index) ? queue[index] : nil }

    /// The content of the current item, if it is loaded.
    var shown: ReviewItemContent? { content.flatMap { $0.id == current?.id ? $0 : nil } }

    /// The words of each field in the text: as they were read, or as they were selected since.
    var spans: [Field: Range<Int>] {
        guard let content = shown else { return [:] }
        return content.spans.merging(selected[content.id] ?? [:]) { $1 }
    }

    var textRows: TextRows? {
        shown?.text.map { TextRows($0, spans: spans, columns: Geometry(size).text.width, lettered: isLettered) }
    }

    mutating func notify(_ text: String, isError: Bool = false) { notice = Notice(text: text, isError: isError) }

    /// Handles one key.
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

    /// Handles keys that need an item.
    private mutating func decide(_ key: Key) -> [Effect] {
        guard let content = shown else { return [] }
        switch key {
        case .character("a"): return content.draft == nil ? book(content) : [.accept(content.id)]
        case .character("r"): return [.reject(content.id)]
        case .character("v"):
            guard content.possibleDuplicate != nil else {
                notify("this is not marked as a possible duplicate", isError: true)
                return []
            }
            return [.release(content.id)]
        case .character("e"), .tab:
            mode = .chooseField(0)
        case .character("c"): return [.categories(content.id)]
        case .character("i"): mode = .pick(.ignoreReasons)
        case .character("p"):
            guard let draft = manualDraft else { return askForName(content) }
            // A template is derived from the values in the ledger.
            guard draft.isComplete else {
                notify("give its values first: a or e asks for them", isError: true)
                return []
            }
            return [.draft(content.id, draft.list, draft.category)]
        default: break
        }
        return []
    }

    /// Asks for the name of a template derived from the item's mail.
    mutating func askForName(_ content: ReviewItemContent) -> [Effect] {
        guard content.text != nil, let item = content.draft else {
            notify("a template is derived from the mail, and the mail is not retained", isError: true)
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
            notify(target == 0 ? "this is the first" : "this is the last")
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

    /// The first visible row of the text.
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

    /// Goes to the next line with every word of the query.
    mutating func find(by step: Int) -> [Effect] {
        let words = CategoryRules.normalized(query).split(separator: " ")
        guard !words.isEmpty, !queue.isEmpty else { return [] }
        for distance in 1...queue.count {
            let at = (index + step * distance % queue.count + queue.count) % queue.count
            let line = queue[at]
            let text = CategoryRules.normalized(
                [line.merchant, line.subject, line.sender, line.date?.description, line.amount?.description].compactMap
                { $0 }
                .joined(separator: " "))
            if words.allSatisfy({ text.contains($0) }) {
                if at == index {
                    notify("no other item matches '\(query)'")
                    return []
                }
                return go(to: at)
            }
        }
        notify("no item matches '\(query)'", isError: true)
        return []
    }
}
