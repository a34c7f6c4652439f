import Synchronization
import YAMLSource

/// A value that is computed at the first call of `get`, once for all threads. A failure is retried at the next call.
final class Deferred<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case made(Value)
        /// Captures its inputs, which are released afterwards.
        case unmade(@Sendable () throws(SourceErrors) -> Value)
    }

    private let state: Mutex<State>

    init(_ make: @escaping @Sendable () throws(SourceErrors) -> Value) { state = Mutex(.unmade(make)) }

    init(_ value: Value) { state = Mutex(.made(value)) }

    /// Concurrent callers wait. The computation may get other deferred values, but not in a cycle.
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
