/// The way on which an alert arrives.
public enum AlertMedium: Hashable, Sendable {
    case mail
    case sms
}
