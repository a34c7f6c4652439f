/// SHA-256 of a certificate, to compare with what a browser shows.
public enum CertificateFingerprint {
    /// The form that browsers show: AB:CD:….
    public static func grouped(_ hexadecimal: String) -> String {
        var result = ""
        for (index, digit) in hexadecimal.uppercased().enumerated() {
            if index > 0, index % 2 == 0 { result += ":" }
            result.append(digit)
        }
        return result
    }
}
