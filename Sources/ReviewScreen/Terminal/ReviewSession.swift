/// What the screen asks of the ledger and the profiles; see ``Effect``.
public protocol ReviewDesk {
    /// - Returns: `nil` where there is nothing to say.
    mutating func perform(_ effect: Effect) -> Answer?
}

/// A model and its desk: keys in, pictures out.
public struct ReviewSession<Desk: ReviewDesk> {
    public private(set) var model: ReviewModel
    var desk: Desk
    public private(set) var isOver = false

    public init(_ model: ReviewModel, desk: Desk) {
        self.model = model
        self.desk = desk
    }

    /// Does what a key asks for, and what follows from it.
    /// - Parameters:
    ///   - meanwhile: called with a picture before what takes a while.
    ///   - forget: called after it: what was typed meanwhile was meant for another picture.
    public mutating func handle(
        _ key: Key, redraw: () -> Void = {}, meanwhile: (Picture) -> Void = { _ in }, forget: () -> Void = {}
    ) {
        perform(model.handle(key), redraw: redraw, meanwhile: meanwhile, forget: forget)
    }

    mutating func say(_ words: String) { model.say(words) }

    public mutating func start() { perform([.refresh], redraw: {}, meanwhile: { _ in }, forget: {}) }

    private mutating func perform(
        _ effects: [Effect], redraw: () -> Void, meanwhile: (Picture) -> Void, forget: () -> Void
    ) {
        var pending = effects[...]
        while let effect = pending.popFirst() {
            switch effect {
            case .quit: isOver = true
            case .redraw: redraw()
            default:
                if let words = effect.isSlow {
                    model.say(words)
                    meanwhile(model.picture())
                    model.notice = nil
                }
                if let answer = desk.perform(effect) { pending += model.receive(answer) }
                if effect.isSlow != nil { forget() }
            }
        }
    }
}

/// The review queue on the whole terminal.
public enum ReviewScreen {
    /// Milliseconds between two looks at the database while nobody types.
    static let patience: Int32 = 1000

    /// Returns when the person quits or the terminal is gone.
    /// - Parameter wantsColours: false under NO_COLOR.
    /// - Returns: how many items were settled.
    public static func run(_ desk: some ReviewDesk, wantsColours: Bool) throws -> Int {
        let window = try Window(wantsColours: wantsColours, patience: patience)
        var session = ReviewSession(
            ReviewModel(size: window.size, isLettered: !window.hasColours, isASCII: window.isASCII), desk: desk)
        session.start()
        while !session.isOver {
            window.show(session.model.picture())
            guard let key = window.key() else { break }
            session.handle(
                key, redraw: { window.redraw() }, meanwhile: { window.show($0) }, forget: { window.forgetInput() })
            // Its notice may have been among what was forgotten.
            if window.size != session.model.size { session.handle(.resize(window.size)) }
        }
        return session.model.done
    }
}
