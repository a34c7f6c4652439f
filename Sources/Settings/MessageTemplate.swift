import YAMLSource

/// A text with placeholders for the values of a transaction: `{amount} at {merchant}`. A literal brace is doubled.
public struct MessageTemplate: Sendable, Hashable {
    public enum Placeholder: String, Sendable, CaseIterable {
        /// Amount with its currency: `INR 1234.50`.
        case amount
        case merchant
        /// Account as displayed: `HDFC Bank 4321`.
        case account
        /// Last digits of the account.
        case digits
        /// Key of the bank: `hdfc`.
        case bank
        case type, channel, category, date, time
        /// `booked`, or the reason for the review.
        case reason
    }

    public enum Piece: Sendable, Hashable {
        case text(String)
        case placeholder(Placeholder)
    }

    public var pieces: [Piece]

    public init(pieces: [Piece]) { self.pieces = pieces }

    /// Throws at the place of an unknown placeholder.
    init(_ node: YAMLNode) throws(SourceError) {
        let bytes = Array(try node.string().utf8)
        guard bytes.count <= 1000 else {
            throw node.error("is longer than 1000 bytes", remedy: "A notification shows a few lines.")
        }
        pieces = []
        var text: [UInt8] = []
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            let isBrace = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
            if isBrace, at + 1 < bytes.count, bytes[at + 1] == byte {
                text.append(byte)
                at += 2
            } else if byte == UInt8(ascii: "{") {
                guard let end = bytes[at...].firstIndex(of: UInt8(ascii: "}")) else {
                    throw node.error(atByte: at, "'{' is not closed", remedy: "Write {merchant}, or {{ for a brace.")
                }
                let name = String(decoding: bytes[(at + 1)..<end], as: UTF8.self)
                guard let placeholder = Placeholder(rawValue: name) else {
                    throw node.error(
                        atByte: at, "unknown placeholder '{\(name)}'",
                        remedy:
                            "Known here: \(Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")); a brace is written {{."
                    )
                }
                if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
                text = []
                pieces.append(.placeholder(placeholder))
                at = end + 1
            } else {
                guard !isBrace else {
                    throw node.error(atByte: at, "'}' closes nothing", remedy: "Write }} for a brace.")
                }
                text.append(byte)
                at += 1
            }
        }
        if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
    }
}
