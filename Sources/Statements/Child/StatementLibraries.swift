import CLibXML2
import Glibc

/// What the libraries load from files, loaded before the process gives up the right to open them.
enum StatementLibraries {
    /// Encodings of downloads that libxml2 decodes by iconv(3), whose tables are files.
    private static let encodings = ["WINDOWS-1252", "ISO-8859-15", "UTF-16"]

    static func prepare() {
        xmlInitParser()
        // Kept open: closing the last descriptor would unload the table.
        for encoding in encodings { _ = iconv_open("UTF-8", encoding) }
    }
}
