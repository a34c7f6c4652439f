/// A LIST response (RFC 9051 section 7.3.1).
public struct ListedFolder: Hashable, Sendable {
    /// `nil` if the name on the wire is not modified UTF-7.
    public let name: FolderName?
    /// Upper case: `\ALL`, `\NOSELECT`.
    public let attributes: Set<String>
}

extension Session where Stream: ~Copyable {
    /// Largest number of folders that ``folders()`` returns.
    private static var maximumFolders: Int { 10_000 }

    /// The names of the folders that can be opened, in the order of the server.
    public mutating func folders() throws(IMAPError) -> [FolderName] {
        var found: [FolderName] = []
        let status = try perform(#"LIST "" "*""#) { response in
            guard case .list(let folder) = response, let name = folder.name, found.count < Self.maximumFolders,
                folder.attributes.isDisjoint(with: ["\\NOSELECT", "\\NONEXISTENT"])
            else { return }
            found.append(name)
        }
        try require(status, "to list its folders")
        return found
    }

    /// Finds the folder with a special use, such as `\All` (RFC 6154). Its name depends on the user's language.
    ///
    /// - Returns: `nil` if the server marks none.
    public mutating func folder(for use: String) throws(IMAPError) -> FolderName? {
        let asksForUse = capabilities.contains("SPECIAL-USE") && capabilities.contains("LIST-EXTENDED")
        // Servers without extended LIST always send the attributes.
        let command = asksForUse ? #"LIST "" "*" RETURN (SPECIAL-USE)"# : #"LIST "" "*""#
        var found: FolderName?
        let status = try perform(command) { response in
            guard case .list(let folder) = response, found == nil, folder.attributes.contains(use.uppercased()) else {
                return
            }
            if !folder.attributes.contains("\\NOSELECT"), !folder.attributes.contains("\\NONEXISTENT") {
                found = folder.name
            }
        }
        try require(status, "to list its folders")
        return found
    }
}

extension WireCursor {
    /// Parses after `* LIST `: `(\HasNoChildren \All) "/" "[Gmail]/All Mail"`.
    mutating func listedFolder() throws(Malformed) -> ListedFolder {
        skipBlanks()
        try expect(0x28, "a LIST without its attributes")
        var attributes: Set<String> = []
        skipBlanks()
        while !accept(0x29) {
            let word = readAtom()
            if word.isEmpty { throw Malformed(what: "an attribute of LIST without a name") }
            attributes.insert(text(word).uppercased())
            skipBlanks()
        }
        skipBlanks()
        // The delimiter, or NIL.
        try skipValue()
        skipBlanks()
        let name: Range<Int>
        if peek == 0x22 || peek == 0x7B {
            name = try expectNString("the name in a LIST")?.content ?? 0..<0
        } else {
            // An unquoted name may hold brackets, and extended data may follow it.
            let line = rest
            name = line.lowerBound..<(bytes[line].firstIndex(of: 0x20) ?? line.upperBound)
        }
        return ListedFolder(name: FolderName(wire: bytes[name]), attributes: attributes)
    }
}
