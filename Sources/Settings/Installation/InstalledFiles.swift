import Glibc

/// Paths of the files that `make install` installs with the programs.
///
/// They follow from the path of the running executable, so one build serves every installation prefix.
public enum InstalledFiles {
    /// Absolute path of the running executable, symbolic links resolved. Empty if `/proc` is not mounted.
    public static let program = target(ofLink: "/proc/self/exe") ?? ""

    /// Folder of the shipped data, `/usr/local/share/spendwise` for `/usr/local/bin/spendwised`.
    public static let shared = shared(forProgram: program)

    /// The program that reads PDFs: `/usr/libexec/spendwise/spendwise-pdf` for `/usr/bin/spendwised`.
    public static let pdfProgram = reader(named: "spendwise-pdf", forProgram: program)

    public static var profiles: String { shared + "/parsers" }
    public static var categories: String { shared + "/categories.yaml" }

    /// The configuration file if no other is named. `make install` makes a link to it, whose target follows SYSCONFDIR.
    public static let configuration = configuration(inShared: shared)

    /// Returns `/etc/spendwise/spendwise.yaml` if nothing is installed.
    static func configuration(inShared folder: String) -> String {
        target(ofLink: folder + "/spendwise.yaml") ?? "/etc/spendwise/spendwise.yaml"
    }

    /// The text of a symbolic link, whether or not a file of that name exists; `nil` if there is no link.
    private static func target(ofLink path: String) -> String? {
        let target = String(
            unsafeUninitializedCapacity: Int(PATH_MAX),
            initializingUTF8With: { buffer in
                buffer.withMemoryRebound(to: CChar.self) { text in
                    text.baseAddress.map { max(0, readlink(path, $0, text.count)) } ?? 0
                }
            })
        return target.isEmpty ? nil : target
    }

    /// The path of a program that only other programs start. For a program outside a folder `bin`, such as one in the
    /// build folder, it is beside it.
    static func reader(named name: String, forProgram path: String) -> String {
        let folder = path.split(separator: "/").dropLast()
        let place = folder.last == "bin" ? Array(folder.dropLast()) + ["libexec", "spendwise"] : Array(folder)
        return place.map { "/" + $0 }.joined() + "/" + name
    }

    /// Returns `/usr/share/spendwise` for a program outside a folder `bin`, such as one in the build folder.
    static func shared(forProgram path: String) -> String {
        let parts = path.split(separator: "/")
        guard parts.dropLast().last == "bin" else { return "/usr/share/spendwise" }
        return parts.dropLast(2).map { "/" + $0 }.joined() + "/share/spendwise"
    }
}
