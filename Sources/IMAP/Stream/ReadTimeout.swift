import Chronology

/// The time limit of a read.
enum ReadTimeout {
    /// A fixed instant, however many bytes arrive.
    case deadline(Deadline)
    /// Fails when no byte arrives for this long. There is no total limit, but a minimum rate: see
    /// ``WireReader/expectProgress(within:)``.
    case idle(Duration)
}
