import Chronology
import Glibc
import Randomness

/// Identifiers of mail rows: UUID version 7 (RFC 9562, section 5.7), so that new rows are appended to the index.
enum MailID {
    static func make() -> String {
        UUIDText.version7(at: SystemClock.realTime.milliseconds)
    }
}
