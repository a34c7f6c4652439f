/// The kind of an account of the user.
public enum UserAccountType: String, Hashable, Sendable, CaseIterable {
    case bank, card, wallet, cash, investment, loan
}
