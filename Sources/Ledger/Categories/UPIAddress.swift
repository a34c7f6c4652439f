/// A UPI address (virtual payment address): a name chosen by the payee, `@`, and the handle of the provider.
public struct UPIAddress: Hashable, Sendable {
    /// Lower case, because addresses are case-insensitive.
    public let local: String
    public let handle: String

    /// NPCI's limit for the whole address.
    public static let maximumLength = 255

    /// `nil` if the text is not of the form `local@handle`. An e-mail address is rejected because of the dot after its
    /// `@`.
    public init?(_ text: String) {
        let trimmed = text.utf8.count <= Self.maximumLength ? text.lowercased() : ""
        guard let at = trimmed.utf8.firstIndex(of: UInt8(ascii: "@")) else { return nil }
        let local = trimmed[..<at]
        let handle = trimmed[trimmed.utf8.index(after: at)...]
        guard !local.isEmpty,
            local.utf8.allSatisfy({
                Self.isLetter($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }),
            Self.isHandle(handle)
        else { return nil }
        self.local = String(local)
        self.handle = String(handle)
    }

    static func isLetter(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) }

    static func isHandle(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && text.utf8.allSatisfy(isLetter)
    }

    /// True for the address of a person: a mobile number, or a handle that Google Pay gives to people only (shops have
    /// `okbizaxis` and similar). A small shop may use its owner's number, which nothing printed distinguishes.
    public var isPersonal: Bool {
        if isMerchant { return false }
        if Self.isMobileNumber(local) { return true }
        return Self.personalHandles.contains(handle)
    }

    /// True if the part before the `@` has the form of a shop code of a payment service, which no person has.
    public var isMerchant: Bool {
        if handle.hasPrefix("okbiz") || Self.merchantHandles.contains(handle) { return true }
        if Self.merchantPrefixes.contains(where: local.hasPrefix) { return true }
        // PhonePe's printed codes: Q and nine digits.
        let digits = local.utf8.dropFirst()
        return local.utf8.first == UInt8(ascii: "q") && digits.count >= 6
            && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The part before the `@` without the names of payment services, which occur in the addresses of all their
    /// customers.
    var words: String {
        let words = CategoryRules.normalized(local).split(separator: " ")
        return words.contains { Self.services.contains(String($0)) }
            ? words.filter { !Self.services.contains(String($0)) }.joined(separator: " ") : local
    }

    private static let services: Set<String> = [
        "paytm", "gpay", "googlepay", "bharatpe", "phonepe", "mobikwik", "razorpay", "rzp", "payu", "billdesk",
        "cashfree", "upi",
    ]

    /// Matches ten digits, the first from 6 to 9 (TRAI's numbering plan), optionally with `-2` for the owner's second
    /// account.
    private static func isMobileNumber(_ local: String) -> Bool {
        let parts = local.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let number = parts.first, number.count == 10, let first = number.first,
            (0x36...0x39).contains(first)
        else { return false }
        return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
            && parts.dropFirst().allSatisfy { $0.count <= 2 }
    }

    private static let personalHandles: Set<String> = ["okaxis", "okhdfcbank", "okicici", "oksbi"]
    private static let merchantHandles: Set<String> = ["fbpe", "pineaxis", "rzp", "validicici", "pingpay", "apl"]
    private static let merchantPrefixes = [
        "paytmqr", "paytm-", "paytm.", "gpay-", "gpayrefund", "gpaybillpay", "bharatpe", "vyapar.", "razorpay", "rzp.",
        "cashfree", "payu", "billdesk", "ccavenue", "easebuzz", "ezetap",
        "pinelabs", "eazypay", "ibkpos", "mswipe", "phonepemerchant", "merchant", "amzn00", "mab.", "msbi.",
        "hdfcbankqr", "getepay", "getpay", "cf.", "bqr",
    ]
}

/// A UPI address with `*` for any run of characters, on either side of its `@`.
public struct UPIPattern: Hashable, Sendable, CustomStringConvertible {
    /// Lower case.
    public let local: String
    public let handle: String

    /// `nil` if there is no `@`, or if the whole consists of stars. A single star matches everything.
    public init?(_ text: String) {
        let lower = text.lowercased()
        let parts = lower.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, lower.utf8.count <= UPIAddress.maximumLength, let local = parts.first,
            let handle = parts.last, !local.isEmpty, !handle.isEmpty,
            lower.utf8.allSatisfy({ UPIAddress.isLetter($0) || Array("@*.-_".utf8).contains($0) }),
            lower.utf8.contains(where: UPIAddress.isLetter)
        else { return nil }
        self.local = String(local)
        self.handle = String(handle)
    }

    public var description: String { "\(local)@\(handle)" }

    /// Number of literal characters; a longer pattern is more specific.
    public var length: Int {
        local.utf8.lazy.filter { $0 != 0x2A }.count + handle.utf8.lazy.filter { $0 != 0x2A }.count
    }

    public var isExact: Bool { !local.utf8.contains(0x2A) && !handle.utf8.contains(0x2A) }

    public func matches(_ address: UPIAddress) -> Bool {
        Self.glob(local.utf8, address.local.utf8) && Self.glob(handle.utf8, address.handle.utf8)
    }

    /// Linear matching that backtracks to the last star only (the usual two-pointer match).
    private static func glob(_ pattern: String.UTF8View, _ text: String.UTF8View) -> Bool {
        var p = pattern.startIndex
        var t = text.startIndex
        var star: (after: String.Index, text: String.Index)?
        while t < text.endIndex {
            if p < pattern.endIndex, pattern[p] == 0x2A {
                p = pattern.index(after: p)
                star = (p, t)
            } else if p < pattern.endIndex, pattern[p] == text[t] {
                p = pattern.index(after: p)
                t = text.index(after: t)
            } else if let last = star {
                t = text.index(after: last.text)
                star = (last.after, t)
                p = last.after
            } else {
                return false
            }
        }
        while p < pattern.endIndex, pattern[p] == 0x2A { p = pattern.index(after: p) }
        return p == pattern.endIndex
    }
}
