import Chronology
import ChronologyFixture
import Foundation

/// A variant of a text: a change that a bank or a mail program may make in an alert without changing its event.
struct Variation: Sendable, CustomStringConvertible {
    let name: String
    let apply: @Sendable (_ text: String, _ account: String?) -> String?

    var description: String { name }

    /// Variants with the same meaning. `nil` if the text has nothing to change.
    static let faithful: [Variation] = {
        var all: [Variation] = []
        for sign in ["Rs.", "Rs. ", "Rs ", "INR ", "INR", "₹", "₹ ", "Rs. INR "] {
            all.append(
                Variation(name: "currency \(sign)") { text, _ in
                    replace(text, #"(?i)(?<![a-z])(?:Rs\.?\s?(?:INR\s?)?|INR\.?\s?|₹\s?)(?=[\d.]*\d)"#, sign)
                })
        }
        for mask in ["XX", "**", "xxxxxx", "X", "xx ", "XXXX XXXX XXXX ", "4315XXXXXXXX", "...", "x-"] {
            all.append(Variation(name: "mask \(mask)") { text, account in masked(text, account, mask) })
        }
        for words in ["ending ", "ending with ", "ending in ", "ending XX"] {
            all.append(Variation(name: "account \(words)") { text, account in said(text, account, words) })
        }
        return all + wordings
    }()

    private static let wordings: [Variation] = [
        Variation(name: "no paise") { text, _ in
            replace(text, #"(?i)((?<![a-z])(?:Rs\.?|INR|₹)\.?\s?(?:INR\s?)?[\d,]+)\.00(?!\d)"#, "$1")
        },
        Variation(name: "paise") { text, _ in
            replace(text, #"(?i)((?<![a-z])(?:Rs\.?|INR|₹)\.?\s?(?:INR\s?)?[\d,]*\d)(?![\d,.]*\d)(?!\.\d)"#, "$1.00")
        },
        Variation(name: "capitals") { text, _ in text.uppercased() },
        Variation(name: "greeting") { text, _ in
            "Dear Mr. Ravi Kumar Menon,\nGreetings! Thank you for banking with us.\n" + text
        },
        Variation(name: "greeting before the sentence") { text, _ in
            "Dear Ravi Kumar, We hope this mail finds you well. " + text
        },
        Variation(name: "disclaimer") { text, _ in
            text
                + "\nThis is a system generated mail. Please do not reply. Never share your OTP, PIN or CVV with anyone.\nIf you have not done this transaction, call 18001234567. Terms & conditions apply."
        },
        Variation(name: "regards") { text, _ in text + "\nWarm regards,\nTeam" },
        Variation(name: "folded") { text, _ in folded(text, at: 72) },
        Variation(name: "folded behind a greeting") { text, _ in folded("Dear Mr Ravi Kumar Menon, " + text, at: 72) },
        Variation(name: "no full stop at line ends") { text, _ in replace(text, #"(?m)\.$"#, "") },
        Variation(name: "full stop at the end") { text, _ in replace(text, #"(?<=[\w)])\z"#, ".") },
        Variation(name: "blanks doubled") { text, _ in text.replacingOccurrences(of: " ", with: "  ") },
        Variation(name: "no-break blanks") { text, _ in text.replacingOccurrences(of: " ", with: "\u{A0}") },
        Variation(name: "CRLF and blank lines") { text, _ in text.replacingOccurrences(of: "\n", with: "\r\n\r\n") },
        Variation(name: "HTML, br") { text, _ in html(text, { "<p>" + $0.joined(separator: "<br>\n") + "</p>" }) },
        Variation(name: "HTML, paragraphs") { text, _ in html(text, { $0.map { "<p>\($0)</p>" }.joined() }) },
        Variation(name: "HTML, table") { text, _ in
            html(
                text,
                { lines in
                    "<style>td { color: red }</style><table>"
                        + lines.map { "<tr><td style=\"font-size:14px\">&nbsp;<b>\($0)</b></td></tr>" }.joined()
                        + "</table>"
                })
        },
    ]

    /// Texts in which the event did not happen, has not happened yet, or is reported by another sender.
    static let unfaithful: [Variation] = [
        Variation(name: "could not be") { text, _ in turned(text, "could not be") },
        Variation(name: "will be") { text, _ in turned(text, "will be") },
        Variation(name: "was not") { text, _ in turned(text, "was not") },
        Variation(name: "is to be") { text, _ in turned(text, "is to be") },
        Variation(name: "one-time password") { text, _ in
            "481516 is the OTP for this payment. Do not share it with anyone.\n" + text
        },
        Variation(name: "declined") { text, _ in
            text + "\nThis transaction has been declined due to insufficient balance."
        },
        Variation(name: "quoted") { text, _ in
            "See what the bank wrote.\n" + text.split(separator: "\n").map { "> " + $0 }.joined(separator: "\n")
        },
        Variation(name: "forwarded") { text, _ in
            "---------- Forwarded message ---------\nFrom: the bank\nSubject: Alert\n" + text
        },
    ]

    private static func replace(_ text: String, _ pattern: String, _ with: String) -> String? {
        let changed = text.replacingOccurrences(
            of: pattern,
            with: NSRegularExpression.escapedTemplate(for: with).replacingOccurrences(of: "\\$1", with: "$1"),
            options: .regularExpression)
        return changed == text ? nil : changed
    }

    private static func turned(_ text: String, _ words: String) -> String? {
        replace(
            text,
            #"(?i)\b(?:has been|have been|was|is|were)(?: successfully)? (?=(?:debited|credited|deducted|deposited|withdrawn|spent|charged|transferred|paid|received|reversed|refunded|used|made|done|processed|cleared|loaded|initiated|sent|posted|levied|remitted|completed)\b)"#,
            words + " ")
    }

    /// The digits under another mask.
    private static func masked(_ text: String, _ account: String?, _ mask: String) -> String? {
        guard let account else { return nil }
        return first(
            in: text, #"(?<![\w])(?:\d{0,6}[ -]?[Xx*•.-]{1,16}[ -]?){1,4}\#(account)(?!\d)"#, with: mask + account)
    }

    /// The digits after a word such as `ending`, if a word for a card or account precedes them.
    private static func said(_ text: String, _ account: String?, _ words: String) -> String? {
        guard let account else { return nil }
        return first(
            in: text,
            #"(?i)(?<=\b(?:card|a/c|account|acct) )(?:\d{0,6}[ -]?[Xx*•.-]{1,16}[ -]?){1,4}\#(account)(?!\d)"#,
            with: words + account)
    }

    private static func first(in text: String, _ pattern: String, with replacement: String) -> String? {
        guard let range = text.range(of: pattern, options: .regularExpression) else { return nil }
        return text.replacingCharacters(in: range, with: replacement)
    }

    private static func folded(_ text: String, at width: Int) -> String? {
        let result = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var lines: [String] = []
            for word in line.split(separator: " ") {
                if let last = lines.last, last.count + 1 + word.count <= width {
                    lines[lines.count - 1] = last + " " + word
                } else {
                    lines.append(String(word))
                }
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
        return result == text ? nil : result
    }

    private static func html(_ text: String, _ body: ([String]) -> String) -> String {
        let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
        return "<html><head><title>Rs. 1.00 spent</title></head><body>"
            + body(escaped.split(separator: "\n").map(String.init)) + "</body></html>"
    }
}
