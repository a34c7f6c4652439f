internal import Ledger
public import Review
public import Store

/// A rule that a person may make from one choice, with some of the booked rows that it would change as lines.
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
    public enum Purpose: Hashable, Sendable {
        /// Ignores mails of this form, for a reason as profiles name it.
        case ignore(reason: String)
        /// Reads mails of this form by the corrections of this one. `name` is the template's name within its bank.
        case read(name: String)
    }

    public var id: ReviewID
    public var purpose: Purpose
    public var template: TemplateEditor.Proposal

    public init(id: ReviewID, purpose: Purpose, template: TemplateEditor.Proposal) {
        self.id = id
        self.purpose = purpose
        self.template = template
    }

    public static func == (a: Proposal, b: Proposal) -> Bool {
        a.id == b.id && a.purpose == b.purpose && a.template.yaml == b.template.yaml
            && a.template.path == b.template.path && a.template.bank?.yaml == b.template.bank?.yaml
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(template.yaml)
    }
}

/// A request of the model to the ledger. It is performed before the next key is read, and answered by an ``Answer``.
public enum Effect: Hashable, Sendable {
    /// Reads the queue.
    case refresh
    case load(ReviewID)
    case accept(ReviewID)
    case reject(ReviewID)
    /// Declares the item no duplicate: it is decided again without that objection.
    case release(ReviewID)
    case correct(ReviewID, FieldEdit)
    /// Books a mail that could not be read.
    case book(ReviewID, [FieldEdit], CategoryPick?)
    /// Makes the draft of such a mail; it stays in the queue.
    case draft(ReviewID, [FieldEdit], CategoryPick?)
    case categories(ReviewID)
    case categorize(ReviewID, CategoryPick)
    /// - Parameter past: also applies the rule to booked rows.
    case applyMapping(CategoryOffer, past: Bool)
    case refuseMapping(CategoryOffer)
    case undo
    case propose(ReviewID, Proposal.Purpose)
    case write(Proposal)
    case redraw
    case quit

    /// The notice that is shown while a slow effect is performed.
    var progress: String? {
        switch self {
        case .propose: "deriving a template and proving it against the samples and the retained mail …"
        case .write: "writing it and deciding the retained mail again …"
        default: nil
        }
    }

    /// The item that the effect is about.
    var id: ReviewID? {
        switch self {
        case .load(let id), .accept(let id), .reject(let id), .release(let id), .correct(let id, _),
            .book(let id, _, _), .draft(let id, _, _), .categories(let id), .categorize(let id, _), .propose(let id, _):
            id
        case .refresh, .applyMapping, .refuseMapping, .undo, .write, .redraw, .quit: nil
        }
    }
}

/// The result of an ``Effect``.
public enum Answer: Sendable {
    case queue([ReviewLine], total: Int)
    case content(ReviewItemContent)
    /// Decided here; the item has left the queue.
    case decided(ReviewID, String)
    /// The item has left the queue for another reason, which the text gives.
    case gone(ReviewID, String)
    case changed(ReviewItemContent, FieldEdit)
    /// The mail without a draft has one, and is another item now.
    case drafted(ReviewID, ReviewItemContent)
    case categories([CategoryPick])
    case categorized(ReviewItemContent, CategoryPick, offer: MappingOffer?)
    /// The item whose change was undone, and whether that change had decided it.
    case undone(ReviewID?, String, wasDecided: Bool)
    /// The item differs from what is shown: nothing was done.
    case stale(ReviewItemContent, String)
    case proposal(Proposal)
    /// The queue may have changed.
    case done(String)
    case failed(String)
}
