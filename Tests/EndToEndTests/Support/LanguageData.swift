import Foundation

/// The library of ICU without its data, for the programs that are built with the tests.
///
/// Release programs contain Foundation without ICU's data about languages, calendars and time zones
/// (Sources/CUnicodeData). Debug programs load Foundation from the libraries of the toolchain. They get a copy of the
/// one with these data, with an empty table of contents: so every test of a program shows a call that needs them.
enum LanguageData {
    static let library = "lib_FoundationICU.so"
    /// The header of a table of contents (icu4c/source/common/ucmndata.h), from its magic number to its format.
    private static let header: [UInt8] = [0xDA, 0x27, 20, 0, 0, 0, 0, 0, 2, 0] + Array("CmnD".utf8)

    /// Folder of the copy, in the folder of the tests.
    private static let folder: Result<String, any Error> = Result {
        let folder = Program.built + "/without-language-data"
        guard let original = Program.libraries(of: "self").first(where: { $0.hasSuffix("/" + library) }) else {
            throw Failed(description: "the tests do not load \(library)")
        }
        var bytes = try Data(contentsOf: URL(filePath: original))
        let entries = try entryCount(in: bytes)
        bytes.replaceSubrange(entries, with: [0, 0, 0, 0])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try bytes.write(to: URL(filePath: folder + "/" + library), options: .atomic)
        return folder
    }

    /// The environment in which the dynamic linker finds the copy.
    static func environment() throws -> [String: String] { ["LD_LIBRARY_PATH": try folder.get()] }

    /// Place of the number of entries, behind the header whose length its first two bytes contain.
    private static func entryCount(in bytes: Data) throws -> Range<Int> {
        guard let magic = bytes.range(of: Data(header)), magic.lowerBound >= 2 else {
            throw Failed(description: "\(library) has no table of contents: does it belong to another version of ICU?")
        }
        let start = magic.lowerBound - 2
        let entries = start + Int(bytes[start]) + Int(bytes[start + 1]) << 8
        return entries..<entries + 4
    }
}
