public import Settings

/// The private keys of a worker: a file of mode 0600 with one key in each line. It is read for each login, so that a
/// change needs no restart.
public struct KeyFile: Sendable {
    public let file: SecretFile

    public init(name: String, folder: String) { file = SecretFile(.fleetKey, name: name, folder: folder) }

    var description: String { file.description }

    /// - Throws: `SecretError`, or ``FleetError`` for a line that is no key.
    func read() throws -> [BoxPrivateKey] {
        let lines = try file.readAll().split(separator: 0x0A, omittingEmptySubsequences: false)
        return try lines.enumerated().compactMap { index, line in
            let text = line.filter { $0 != 0x20 && $0 != 0x09 }
            guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
            guard let key = BoxPrivateKey(text) else {
                throw FleetError(
                    "\(description), line \(index + 1): no private key; 'spendwise-fleet keygen' makes one")
            }
            return key
        }
    }

    /// Writes a new file with one key.
    ///
    /// - Throws: if there is such a file: a lost key loses the passwords that were sealed to it.
    public func create(_ key: BoxPrivateKey) throws {
        guard file.stamp == nil else {
            throw FleetError("\(file.path) exists: name a new file, and append its line to those that workers read")
        }
        try file.write([key.text])
    }
}
