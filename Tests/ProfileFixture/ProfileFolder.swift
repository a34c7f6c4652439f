import Foundation
public import InternetMessage
public import Profiles

/// Profiles written into a folder of their own for one test.
public struct ProfileFolder {
    public let path = NSTemporaryDirectory() + "profiles-" + UUID().uuidString

    public init(_ files: [String: String]) throws {
        for (name, text) in files {
            let file = URL(filePath: path).appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    public func load() throws -> ProfileSet { try ProfileSet(directories: [path]) }

    public static let bank =
        "name: Test Bank\ndomains: [bank.example]\naddresses: [alerts@bank.example]\ntimezone: Asia/Kolkata\ncurrency: INR\n"
    public static let spend = #"""
        template: bank/spend
        kind: transaction
        extract:
          body_pattern: 'Rs\.(?<amount>[\d,.]*\d) \s spent \s at \s (?<merchant>.{1,60}?) \s on \s (?<date>\S+) (?: \s at \s (?<time>[\d:]+) )? \s card \s (?<account>\d{4})'
          type: expense
          channel: card
        """#
    public static let otp = #"""
        template: bank/otp
        kind: ignore
        reason: otp
        match: { body_pattern: 'is \s your \s OTP' }
        """#

    public static func set(_ more: [String: String] = [:]) throws -> ProfileSet {
        try ProfileFolder(
            ["bank/_bank.yaml": bank, "bank/spend.yaml": spend, "bank/otp.yaml": otp].merging(
                more, uniquingKeysWith: { $1 })
        ).load()
    }

    public func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }
}

/// A message with the given plain text.
public func mail(
    _ body: String, from: String = "alerts@bank.example", date: String = "Mon, 05 Jan 2026 18:00:00 +0530",
    headers: String = ""
) -> Message {
    Message(
        parsing: Array(
            "\(headers)From: \(from)\r\nSubject: Alert\r\nDate: \(date)\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(body)"
                .utf8))
}
