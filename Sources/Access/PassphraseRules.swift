/// Rejection of weak passphrases. A PIN is allowed because ``Throttle`` delays guesses.
public enum PassphraseRules {
    public static let minimumDigits = 6
    public static let minimumCharacters = 8
    /// Bounds the work of hashing.
    public static let maximumBytes = 1024

    /// - Returns: the weakness and its remedy, without the passphrase, or `nil`.
    public static func weakness(of passphrase: String) -> String? {
        let bytes = Array(passphrase.lowercased().utf8)
        if passphrase.utf8.count > maximumBytes { return "it is longer than \(maximumBytes) bytes" }
        if passphrase.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "it holds control characters, which no form could send"
        }
        let isPIN = !bytes.isEmpty && bytes.allSatisfy { (0x30...0x39).contains($0) }
        let minimum = isPIN ? minimumDigits : minimumCharacters
        guard passphrase.count >= minimum else {
            return "it is too short: a PIN needs \(minimumDigits) digits, a passphrase \(minimumCharacters) characters"
        }
        if Set(bytes).count < 4 { return "it is made of fewer than four different characters" }
        if isRun(bytes) { return "it is a run of keys or digits" }
        if repeatsItself(bytes) { return "it is one short piece over and over" }
        if isPIN, isDate(bytes) { return "it can be read as a date, which is the first that is guessed" }
        if common.contains(where: { isCommon(bytes, Array($0.utf8)) }) { return "it is one of the most common ones" }
        return nil
    }

    /// Matches the word alone, or the word with a few digits and signs after it.
    private static func isCommon(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
        guard bytes.starts(with: word) else { return false }
        let rest = bytes.dropFirst(word.count)
        return rest.count <= 4 && !rest.contains { (0x61...0x7A).contains($0) }
    }

    /// Matches neighbours in the alphabet, in the digits or on the keyboard, in either direction.
    private static func isRun(_ bytes: [UInt8]) -> Bool {
        let rows = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiopasdfghjklzxcvbnm"]
        let text = String(decoding: bytes, as: UTF8.self)
        return rows.contains { $0.contains(text) || String($0.reversed()).contains(text) }
    }

    private static func repeatsItself(_ bytes: [UInt8]) -> Bool {
        (1...3).contains { length in
            bytes.count >= 2 * length && bytes.indices.allSatisfy { bytes[$0] == bytes[$0 % length] }
        }
    }

    /// Matches ddmmyy, mmddyy, yymmdd, ddmmyyyy, mmddyyyy and yyyymmdd.
    private static func isDate(_ bytes: [UInt8]) -> Bool {
        var pairs: [Int] = []
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            pairs.append(Int(bytes[index] & 15) * 10 + Int(bytes[index + 1] & 15))
        }
        switch bytes.count {
        case 6: return isDayAndMonth(pairs[0], pairs[1]) || isDayAndMonth(pairs[1], pairs[2])
        case 8:
            if pairs[2] == 19 || pairs[2] == 20, isDayAndMonth(pairs[0], pairs[1]) { return true }
            return (pairs[0] == 19 || pairs[0] == 20) && isDayAndMonth(pairs[2], pairs[3])
        default: return false
        }
    }

    /// Accepts both orders.
    private static func isDayAndMonth(_ a: Int, _ b: Int) -> Bool {
        (1...31).contains(max(a, b)) && (1...12).contains(min(a, b))
    }

    private static let common = [
        "password", "passw0rd", "passwort", "qwerty", "letmein", "welcome", "iloveyou", "admin", "administrator",
        "dragon", "monkey", "football", "cricket",
        "sunshine", "princess", "superman", "batman", "trustno1", "changeme", "secret", "spendwise", "india", "bharat",
        "krishna", "ganesh", "sairam", "omsairam",
        "1q2w3e4r", "1qaz2wsx", "zaq12wsx", "q1w2e3r4", "abc123", "abcd1234", "a1b2c3d4", "123123", "123321", "112233",
        "159753", "147258", "147258369", "789456",
    ]
}
