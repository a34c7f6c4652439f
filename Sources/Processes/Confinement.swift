import CProcess
import CSeccomp
import Glibc

/// The rights that a process keeps before it reads a hostile file: its standard streams, and processor time and memory
/// up to limits.
public struct Confinement: Sendable {
    /// The system refused the named step.
    public struct Refused: Error, Sendable {
        public let step: String
    }

    /// For a process that reads a statement, or a PDF of one. The memory is sixteen times the largest file, which
    /// libxml2 needs for markup.
    public static let statement = Confinement(memory: 256 << 20, seconds: 20)
    /// Exit status of a program whose confinement the system refuses (`EX_OSERR` of sysexits.h).
    public static let refusedStatus: Int32 = 71

    /// Bytes of memory beyond what the process has mapped when it enters.
    public var memory: UInt
    /// Seconds of processor time.
    public var seconds: UInt

    public init(memory: UInt, seconds: UInt) {
        self.memory = memory
        self.seconds = seconds
    }

    /// Gives up all other rights until the process ends: it can make no file, socket, process or executable memory, it
    /// cannot exceed the limits, and it ends with its parent.
    ///
    /// The filter applies to the calling thread, so the process must have no other thread. The filter forbids starting
    /// one.
    public func enter() throws(Refused) {
        guard spendwise_die_with_parent() == 0 else { throw Refused(step: "PR_SET_PDEATHSIG") }
        guard spendwise_set_dumpable(0) == 0 else { throw Refused(step: "PR_SET_DUMPABLE") }
        guard spendwise_forbid_new_privileges() == 0 else { throw Refused(step: "PR_SET_NO_NEW_PRIVS") }
        guard let mapped = Self.mappedBytes() else { throw Refused(step: "size of the process") }
        try Self.limit(__rlimit_resource_t(RLIMIT_AS.rawValue), mapped + memory, "RLIMIT_AS")
        try Self.limit(__rlimit_resource_t(RLIMIT_CPU.rawValue), seconds, "RLIMIT_CPU")
        try Self.limit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), 0, "RLIMIT_FSIZE")
        try Self.limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), 0, "RLIMIT_CORE")
        // No descriptor beyond those that are open.
        try Self.limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), 3, "RLIMIT_NOFILE")
        try Self.filter()
    }

    private static func limit(_ resource: __rlimit_resource_t, _ value: UInt, _ name: String) throws(Refused) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        guard setrlimit(resource, &limit) == 0 else { throw Refused(step: name) }
    }

    /// The size of the address space: the first number of `/proc/self/statm`, in pages (proc(5)).
    private static func mappedBytes() -> UInt? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(file, &text, text.count)
        guard count > 0 else { return nil }
        let digits = text[..<count].prefix { $0 &- 0x30 < 10 }
        return UInt(String(decoding: digits, as: UTF8.self)).map { $0 * UInt(sysconf(Int32(_SC_PAGESIZE))) }
    }

    // MARK: The filter (seccomp(2))

    /// Calls on open descriptors and on the process itself.
    private static let allowed = [
        "read", "readv", "write", "writev", "close", "lseek", "munmap", "mremap", "brk", "madvise", "futex",
        "clock_gettime", "clock_getres", "gettimeofday", "clock_nanosleep", "nanosleep", "getrandom", "rt_sigaction",
        "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall", "sched_yield", "sched_getaffinity",
        "getpid",
        "gettid", "exit", "exit_group",
    ]
    /// Calls that only a compromised process makes. They end it; every other call gets `EPERM`, because
    /// libraries probe optional files and continue without them.
    private static let deadly = [
        "execve", "execveat", "fork", "vfork", "clone", "clone3", "socket", "socketpair", "connect", "bind", "listen",
        "accept", "accept4", "sendto", "sendmsg", "ptrace", "process_vm_readv", "process_vm_writev", "bpf",
        "io_uring_setup", "userfaultfd", "mount", "unshare", "setns", "init_module", "kexec_load",
    ]

    private static func filter() throws(Refused) {
        guard let context = seccomp_init(spendwise_seccomp_refuse) else { throw Refused(step: "seccomp_init") }
        defer { seccomp_release(context) }
        for name in allowed { try add(SCMP_ACT_ALLOW, name, to: context) }
        // Kills the only thread, and so the process. SCMP_ACT_KILL_PROCESS would need seccomp(2) itself, which the
        // filter of the units refuses; the library then loads the program by prctl(2).
        for name in deadly { try add(SCMP_ACT_KILL_THREAD, name, to: context) }
        // Allowed without PROT_EXEC only.
        for name in ["mmap", "mprotect"] {
            try add(
                SCMP_ACT_ALLOW, name, to: context,
                where: [scmp_arg_cmp(arg: 2, op: SCMP_CMP_MASKED_EQ, datum_a: UInt64(PROT_EXEC), datum_b: 0)])
        }
        // abort(3) signals its own thread.
        try add(
            SCMP_ACT_ALLOW, "tgkill", to: context,
            where: [scmp_arg_cmp(arg: 0, op: SCMP_CMP_EQ, datum_a: UInt64(getpid()), datum_b: 0)])
        guard seccomp_load(context) == 0 else { throw Refused(step: "seccomp_load") }
    }

    private static func add(
        _ action: UInt32, _ name: String, to context: scmp_filter_ctx, where conditions: [scmp_arg_cmp] = []
    ) throws(Refused) {
        let call = seccomp_syscall_resolve_name(name)
        // The architecture of this machine does not have the call.
        guard call >= 0 else { return }
        guard seccomp_rule_add_array(context, action, call, UInt32(conditions.count), conditions) == 0 else {
            throw Refused(step: "filter of \(name)")
        }
    }
}
