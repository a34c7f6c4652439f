import Synchronization
import YAMLSource

/// A value that is made when it is first asked for: once, whichever of several threads asks. What fails is tried again
/// the next time.
final class Deferred<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case made(Value)
        /// With what it is made from, which is let go of afterwards.
        case unmade(@Sendable () throws(SourceErrors) -> Value)
    }

    private let state: Mutex<State>

    init(_ make: @escaping @Sendable () throws(SourceErrors) -> Value) { state = Mutex(.unmade(make)) }

    init(_ value: Value) { state = Mutex(.made(value)) }

    /// Threads that ask meanwhile wait. What is made may ask for others, never in a circle.
    func get() throws(SourceErrors) -> Value {
        try state.withLock { state throws(SourceErrors) in
            switch state {
            case .made(let value): return value
            case .unmade(let make):
                let value = try make()
                state = .made(value)
                return value
            }
        }
    }

    var isMade: Bool {
        state.withLock { if case .made = $0 { true } else { false } }
    }
}
