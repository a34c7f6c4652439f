import Glibc

/// Creates the certificates of a server in the folder `tls` of its folder: an authority (`ca.pem`), a certificate for
/// `localhost` and 127.0.0.1 signed by it (`server.pem`, `server.key`), and an unrelated authority (`other.pem`).
///
/// - Parameter expired: the certificate expired yesterday.
public func makeCertificates(in directory: String, expired: Bool = false) throws {
    let tls = directory + "/tls"
    mkdir(tls, 0o755)
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    for name in ["ca", "other"] {
        try run(
            ["openssl", "req", "-x509"] + key + [
                "-days", "30", "-subj", "/CN=Test authority \(name)", "-addext",
                "basicConstraints=critical,CA:TRUE", "-addext",
                "keyUsage=critical,keyCertSign,cRLSign", "-keyout", "\(name).key", "-out", "\(name).pem",
            ], in: tls)
    }
    try run(
        ["openssl", "req"] + key + ["-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"],
        in: tls)
    try write(
        Array("subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n".utf8),
        to: tls + "/server.ext")
    try run(
        [
            "openssl", "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-days",
            expired ? "-1" : "30", "-extfile", "server.ext", "-out", "server.pem",
        ], in: tls)
}
