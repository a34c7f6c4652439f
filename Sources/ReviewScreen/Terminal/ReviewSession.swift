/// Performs the effects of the model on the ledger and the profiles.
public protocol EffectHandler {
    /// - Returns: `nil` if the effect has no result.
    mutating func perform(_ effect: Effect) -> Answer?
}

/// A model with the handler of its effects: keys in, pictures out.
public struct ReviewSession<Handler: EffectHandler> {
    public private(set) var model: ReviewModel
    var handler: Handler
    public private(set) var isOver = false

    public init(_ model: ReviewModel, handler: Handler) {
        self.model = model
        self.handler = handler
    }

    /// Handles a key and everything that follows from it.
    /// - Parameters:
    ///   - showProgress: shows a picture before a slow effect.
    ///   - discardInput: called after it: keys typed meanwhile were meant for another picture.
    public mutating func handle(
        _ key: Key, redraw: () -> Void = {}, showProgress: (Picture) -> Void = { _ in }, discardInput: () -> Void = {}
    ) {
        perform(model.handle(key), redraw: redraw, showProgress: showProgress, discardInput: discardInput)
    }

    mutating func notify(_ words: String) { model.notify(words) }

    public mutating func start() { perform([.refresh], redraw: {}, showProgress: { _ in }, discardInput: {}) }

    private mutating func perform(
        _ effects: [Effect], redraw: () -> Void, showProgress: (Picture) -> Void, discardInput: () -> Void
    ) {
        var pending = effects[...]
        while let effect = pending.popFirst() {
            switch effect {
            case .quit: isOver = true
            case .redraw: redraw()
            default:
                if let words = effect.progress {
                    model.notify(words)
                    showProgress(model.picture())
                    model.notice = nil
                }
                if let answer = handler.perform(effect) { pending += model.receive(answer) }
                if effect.progress != nil { discardInput() }
            }
        }
    }
}

/// The review queue on the whole terminal.
public enum ReviewScreen {
    /// Milliseconds between two polls of the database without input.
    static let pollInterval: Int32 = 1000

    /// Runs the screen until the person quits or the terminal is gone.
    /// - Parameter wantsColours: false under NO_COLOR.
    /// - Returns: the number of items that were decided.
    public static func run(_ handler: some EffectHandler, wantsColours: Bool) throws -> Int {
        let window = try Window(wantsColours: wantsColours, pollInterval: pollInterval)
        var session = ReviewSession(
            ReviewModel(size: window.size, isLettered: !window.hasColours, isASCII: window.isASCII), handler: handler)
        session.start()
        while !session.isOver {
            window.show(session.model.picture())
            guard let key = window.key() else { break }
            session.handle(
                key, redraw: { window.redraw() }, showProgress: { window.show($0) },
                discardInput: { window.discardInput() })
            // The event of a resize may have been discarded.
            if window.size != session.model.size { session.handle(.resize(window.size)) }
        }
        return session.model.done
    }
}
