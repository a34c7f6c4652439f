public import Ledger
public import Store

/// A category as it is chosen.
public struct CategoryPick: Hashable, Sendable {
    public var category: String
    public var subcategory: String?

    public init(category: String, subcategory: String? = nil) {
        self.category = category
        self.subcategory = subcategory
    }

    var text: String { category + (subcategory.map { " / \($0)" } ?? "") }
}

/// A rule that a person may make of one choice, with some of the rows in the books that it would change, each in a line.
public struct MappingOffer: Hashable, Sendable {
    public var offer: CategoryOffer
    public var examples: [String]

    public init(offer: CategoryOffer, examples: [String]) {
        self.offer = offer
        self.examples = examples
    }
}

/// A template that was derived and proven, and is not written yet.
public struct Proposal: Hashable, Sendable {
    public enum Wish: Hashable, Sendable {
        /// Mails of this form are no transaction; the reason as profiles name it.
        case ignore(reason: String)
        /// Mails of this form are to be read as this one was put right; the template's name within its bank.
        case read(name: String)
    }

    public var id: ReviewID
    public var wish: Wish
    /// `hdfc/card-spend`.
    public var template: String
    public var path: String
    public var yaml: String
    /// What was chosen where there was a choice, and what the proof showed.
    public var notes: [String]
    /// For a bank that has no profile yet: its file.
    public var bank: (path: String, yaml: String)?

    public init(
        id: ReviewID, wish: Wish, template: String, path: String, yaml: String, notes: [String],
        bank: (path: String, yaml: String)? = nil
    ) {
        self.id = id
        self.wish = wish
        self.template = template
        self.path = path
        self.yaml = yaml
        self.notes = notes
        self.bank = bank
    }

    public static func == (a: Proposal, b: Proposal) -> Bool {
        a.id == b.id && a.wish == b.wish && a.yaml == b.yaml && a.path == b.path && a.bank?.yaml == b.bank?.yaml
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(yaml)
    }
}

/// What the model asks of the world. It is done before the next key is read, and answered by an ``Answer``.
public enum Effect: Hashable, Sendable {
    /// The queue as it is now.
    case refresh
    case load(ReviewID)
    case accept(ReviewID)
    case reject(ReviewID)
    /// It is no duplicate: decided again without that objection.
    case release(ReviewID)
    case correct(ReviewID, FieldEdit)
    /// A mail in which nothing could be read becomes a transaction.
    case book(ReviewID, [FieldEdit], CategoryPick?)
    /// The same, and it waits on.
    case draft(ReviewID, [FieldEdit], CategoryPick?)
    case categories(ReviewID)
    case categorize(ReviewID, CategoryPick)
    /// - Parameter past: also for what is in the books.
    case applyMapping(CategoryOffer, past: Bool)
    case refuseMapping(CategoryOffer)
    case undo
    case propose(ReviewID, Proposal.Wish)
    case write(Proposal)
    case redraw
    case quit

    /// Worth a word on the screen while it lasts.
    var isSlow: String? {
        switch self {
        case .propose: "deriving a template and proving it against the samples and the kept mail …"
        case .write: "writing it and deciding the kept mail again …"
        default: nil
        }
    }
}

public enum Answer: Sendable {
    case queue([ReviewLine], total: Int)
    case sheet(Sheet)
    /// Decided here; it is in the queue no more.
    case settled(ReviewID, String)
    /// Not to be found in the queue any more, and why.
    case gone(ReviewID, String)
    case changed(Sheet, FieldEdit)
    /// What had no draft has one: it is another item now.
    case drafted(ReviewID, Sheet)
    case categories([CategoryPick])
    case categorized(Sheet, CategoryPick, offer: MappingOffer?)
    /// What was undone, which item it was about, and whether that was settled by it.
    case undone(ReviewID?, String, settled: Bool)
    /// It is not what the person has before the eyes: nothing was done.
    case stale(Sheet, String)
    case proposal(Proposal)
    /// The queue may have changed by it.
    case done(String)
    case failed(String)
}
