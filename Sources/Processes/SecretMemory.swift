import CProcess

/// Protection of a process's memory once it holds a secret.
public enum SecretMemory {
    /// Keeps the memory of this process out of core dumps, and from processes of the same user that would trace it
    /// (prctl(2), `PR_SET_DUMPABLE`). Called before the first secret is read; lasts until the process ends.
    public static func protect() { _ = spendwise_set_dumpable(0) }

    /// False after ``protect()``.
    public static var isDumpable: Bool { spendwise_is_dumpable() != 0 }
}
