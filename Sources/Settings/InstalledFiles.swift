import Glibc

/// Paths of the files that `make install` puts beside the programs.
///
/// They follow from the path of the running executable, so one build serves every installation prefix.
public enum InstalledFiles {
    /// Absolute path of the running executable, symbolic links resolved. Empty if `/proc` is not mounted.
    public static let program = String(
        unsafeUninitializedCapacity: Int(PATH_MAX),
        initializingUTF8With: { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { max(0, readlink("/proc/self/exe", $0, text.count)) } ?? 0
            }
        })

    /// Folder of the shipped data, `/usr/local/share/spendwise` for `/usr/local/bin/spendwised`.
    public static let shared = shared(forProgram: program)

    public static var profiles: String { shared + "/parsers" }
    public static var categories: String { shared + "/categories.yaml" }

    /// Returns `/usr/share/spendwise` for a program outside a folder `bin`, such as one in the build folder.
    static func shared(forProgram path: String) -> String {
        let parts = path.split(separator: "/")
        guard parts.dropLast().last == "bin" else { return "/usr/share/spendwise" }
        return parts.dropLast(2).map { "/" + $0 }.joined() + "/share/spendwise"
    }
}
