/// How long to wait for bytes.
enum Patience {
    /// Until then, however much comes.
    case until(Deadline)
    /// As long as never so long a silence comes, and it goes on (``WireReader/expectProgress(within:)``).
    case silence(Duration)
}
