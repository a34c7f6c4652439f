import YAMLSource

/// An entry of `statements:`: the password of a bank's statements. It names a file with the secret, never the secret.
public struct StatementPassword: Sendable, Equatable {
    private enum Source: Sendable, Equatable {
        case fixed(SecretSource)
        /// The facts are in the lines of the file, as in `name: …`.
        case rule(PasswordRule, SecretFile)
    }

    /// Key of the bank's profile: its folder.
    public var bank: String
    /// The last digits of the account or card; `nil` for all of the bank.
    public var account: String?
    private var source: Source

    /// The password itself, or the facts that it is made of.
    var secret: SecretSource {
        switch source {
        case .fixed(let secret): secret
        case .rule(_, let file): .file(file)
        }
    }

    /// Longest name of a fact and its value, which banks take a few letters of.
    private static let longestFact = 200

    /// - Parameters:
    ///   - folder: the configuration's folder.
    ///   - secret: the password if the entry names none; `nil` if it must name one.
    init(_ node: YAMLNode, folder: String, or secret: SecretSource?) throws(SourceError) {
        let map = try node.mapping(allowing: [
            "bank", "account", "password_file", "password_command", "rule", "facts_file",
        ])
        bank = try map.require("bank").string()
        account = try map["account"]?.string()
        if let account, let place = map["account"],
            account.isEmpty || !account.allSatisfy({ $0.isASCII && $0.isNumber })
        {
            throw place.error(
                "the last digits of an account are expected here", remedy: "Write them in quotes, such as '4082'.")
        }
        switch (map["password_file"], map["password_command"], map["rule"]) {
        case (let file?, nil, nil):
            source = .fixed(.file(SecretFile(.statementPassword, name: try file.string(), folder: folder)))
        case (nil, let command?, nil): source = .fixed(.command(try command.string()))
        case (nil, nil, let rule?):
            guard let parsed = PasswordRule(try rule.string()) else {
                throw rule.error(
                    "the rule of a password cannot be read",
                    remedy: "Write facts in braces, such as '{name:4:upper}{birth:ddmm}'.")
            }
            let file = try map.require("facts_file").string()
            source = .rule(parsed, SecretFile(.statementFacts, name: file, folder: folder))
        case (nil, nil, nil):
            if let secret {
                source = .fixed(secret)
                break
            }
            throw node.error(
                "no password is named here",
                remedy:
                    "Add password_file (a file of mode 0600, or a systemd credential), password_command, or rule and facts_file."
            )
        default:
            throw node.error(
                "two sources of one password", remedy: "Keep password_file, password_command, or rule and facts_file.")
        }
        if let place = map["facts_file"], map["rule"] == nil {
            throw place.error("'facts_file' needs a 'rule'", remedy: "Name the secret as password_file without a rule.")
        }
    }

    static func all(
        _ node: YAMLNode, folder: String, or secret: SecretSource?
    ) throws(SourceError) -> [StatementPassword] {
        var entries: [StatementPassword] = []
        for item in try node.list() { entries.append(try StatementPassword(item, folder: folder, or: secret)) }
        return entries
    }

    /// Replaces the source of the password.
    public mutating func use(_ secret: ProvidedSecret) { source = .fixed(.provided(secret)) }

    /// The password. Errors name the file and the missing fact, never a secret.
    public func read() throws(SecretError) -> String {
        switch source {
        case .fixed(let secret): return String(decoding: try secret.read(), as: UTF8.self)
        case .rule(let rule, let file):
            var facts: [String: String] = [:]
            for line in try file.lines() where line.count <= Self.longestFact {
                let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                facts[Self.trimmed(parts[0])] = Self.trimmed(parts[1])
            }
            if let password = rule.password(of: facts) { return password }
            let missing = rule.facts.filter { facts[$0] == nil }.sorted()
            guard let first = missing.first else {
                throw SecretError(
                    "\(file.description) has a day that is not written yyyy-mm-dd", remedy: "Write it as 1990-01-05.")
            }
            throw SecretError(
                "\(file.description) has no line '\(first): …'", remedy: "Add the line, as the bank knows you.")
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}

extension Sequence<StatementPassword> {
    /// The passwords to try for a statement, those of its account first.
    ///
    /// - Parameters:
    ///   - bank: the key of its profile.
    ///   - numbers: digits of its account, as alerts print them; empty if unknown.
    /// - Returns: the passwords, and the reasons of those that cannot be read.
    public func passwords(bank: String, numbers: [String]) -> (passwords: [String], errors: [SecretError]) {
        var found: (own: [String], others: [String]) = ([], [])
        var errors: [SecretError] = []
        for entry in self where entry.bank == bank {
            if let account = entry.account, !numbers.isEmpty,
                !numbers.contains(where: { $0.hasSuffix(account) || account.hasSuffix($0) })
            {
                continue
            }
            do throws(SecretError) {
                let password = try entry.read()
                if entry.account == nil { found.others.append(password) } else { found.own.append(password) }
            } catch { errors.append(error) }
        }
        return (found.own + found.others, errors)
    }
}
