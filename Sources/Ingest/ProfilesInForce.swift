public import Profiles
import Synchronization

/// The profile set that all mailboxes use: one immutable value, swapped whole on reload.
public final class ProfilesInForce: Sendable {
    private let inForce: Mutex<ProfileSet>

    public init(_ profiles: ProfileSet) { inForce = Mutex(profiles) }

    public var current: ProfileSet { inForce.withLock { $0 } }

    public func replace(with profiles: ProfileSet) { inForce.withLock { $0 = profiles } }
}
