import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// HTTPS of the program, with curl (docs/reference/tls.md).
@Suite(.disabled(if: TestCertificates.areUsed, "the tests' certificates would be added to those of these tests"))
struct TLSTests {
    private let certificates: TestCertificates
    private let folder: TemporaryDirectory

    init() throws {
        certificates = try TestCertificates.shared.get()
        folder = try TemporaryDirectory()
    }

    /// Starts a daemon with certificates in files of its own, which a test may replace.
    private func start(_ settings: [String: String] = [:], arguments: [String] = ["--dev"]) throws -> Daemon {
        try install((certificates.chain, certificates.key))
        let tls = [
            "BELLWETHER_HTTP_TLS_LISTEN": "127.0.0.1:0",
            "BELLWETHER_HTTP_TLS_CERTIFICATES": "\(folder.path)/chain.pem=\(folder.path)/key.pem",
        ]
        return try Daemon(arguments, environment: tls.merging(settings) { $1 })
    }

    private func install(_ certificate: (chain: String, key: String)) throws {
        for (source, name) in [(certificate.chain, "chain.pem"), (certificate.key, "key.pem")] {
            try folder.write(try String(contentsOfFile: source, encoding: .utf8), to: name)
        }
    }

    /// The address in the daemon's next line.
    private func address(_ daemon: Daemon) throws -> String {
        let line = try #require(daemon.furtherOutput())
        return try #require(line.hasPrefix("listening on ") ? String(line.dropFirst(13)) : nil)
    }

    private func curl(_ arguments: String...) throws -> Command {
        try Command.run(["curl", "-sS", "-i", "--max-time", "30", "--cacert", certificates.authority] + arguments)
    }

    @Test func `Polls, heartbeat and metrics are served over HTTPS`() throws {
        let daemon = try start(["BELLWETHER_HTTP_TLS_HSTS_SECONDS": "600"])
        let url = try address(daemon)
        #expect(url.hasPrefix("https://127.0.0.1:"))
        let heartbeat = try curl("\(url)/__heartbeat__").output
        #expect(heartbeat.contains("\"certificates\":\"ok\""))
        #expect(heartbeat.contains(/"certificates":{"days_left":(29|30)}/))
        #expect(heartbeat.contains("Strict-Transport-Security: max-age=600"))
        let app = try TestApp(on: daemon)
        try app.publish("x", Sample.message("m"))
        let poll = try curl("\(url)/v1/apps/\(app.name)/messages?client_id=c").output
        #expect(poll.hasPrefix("HTTP/1.1 200"))
        #expect(poll.contains("\"slug\":\"x\"") || poll.contains("\"m\""))
        // The field is for HTTPS only.
        #expect(try daemon.get("/__heartbeat__").header("Strict-Transport-Security") == nil)
        #expect(try daemon.get("/metrics").text.contains("bellwether_tls_certificate_expiry_timestamp_seconds "))
    }

    @Test func `The public address is that of the first certificate, unless a setting names another one`() throws {
        // An address of its own for each run, so that the port can be a fixed one.
        let bytes = (0..<3).map { _ in UInt8.random(in: 1...254) }
        let common = [
            "BELLWETHER_HTTP_TLS_LISTEN": "127.\(bytes[0]).\(bytes[1]).\(bytes[2]):8443",
            "BELLWETHER_TOKENS": "ops:admin:*:\(try GuardedDaemon.digest("ops"))",
        ]
        func publicURL(_ settings: [String: String]) throws -> JSONValue? {
            let daemon = try start(common.merging(settings) { $1 }, arguments: [])
            let session = try daemon.get("/v1/session", headers: GuardedDaemon.bearer("ops"))
            return session.json["settings"]["public_url"]
        }
        #expect(try publicURL([:]) == "https://localhost:8443")
        #expect(try publicURL(["BELLWETHER_HTTP_PUBLIC_URL": "https://ask.example"]) == "https://ask.example")
    }

    @Test func `Every kind of address serves what it is for`() throws {
        let socket = folder.path + "/socket"
        let daemon = try start([
            "BELLWETHER_HTTP_LISTEN": "unix:\(socket)", "BELLWETHER_HTTP_TLS_REDIRECT": "127.0.0.1:0",
        ])
        #expect(try address(daemon) == "unix:\(socket)")
        let (https, redirect) = (try address(daemon), try address(daemon))
        let local = try curl("--unix-socket", socket, "http://localhost/__lbheartbeat__").output
        #expect(local.hasPrefix("HTTP/1.1 200"))
        let moved = try curl("\(redirect)/a?b=c").output
        #expect(moved.hasPrefix("HTTP/1.1 308 Permanent Redirect"))
        #expect(moved.contains("Location: \(https)/a?b=c\r\n"))
        // A second daemon does not take the socket of the first, and replaces it when the first has ended.
        let second = try Command.bellwether(
            "serve", "--dev", "--port", "0", "--data", folder.path + "/second",
            environment: ["BELLWETHER_HTTP_LISTEN": "unix:\(socket)"])
        #expect(second.status == 1)
        #expect(second.errors.contains("Cannot listen on unix:\(socket): another process listens there."))
        try daemon.kill()
        let next = try Daemon(environment: ["BELLWETHER_HTTP_LISTEN": "unix:\(socket)"])
        #expect(try next.get("/__lbheartbeat__").status == 200)
        let again = try curl("--unix-socket", socket, "http://localhost/__lbheartbeat__").output
        #expect(again.hasPrefix("HTTP/1.1 200"))
    }

    @Test func `A certificate is a token by the names in it`() throws {
        let daemon = try start(
            [
                "BELLWETHER_TOKENS": "warehouse:pipeline:*:\(try GuardedDaemon.digest("warehouse"))",
                "BELLWETHER_HTTP_TLS_CLIENTS_LISTEN": "127.0.0.1:0",
                "BELLWETHER_HTTP_TLS_CLIENTS_AUTHORITIES": certificates.authority,
                "BELLWETHER_HTTP_TLS_CLIENTS_TOKENS": "spiffe://tests/warehouse=warehouse,gone.example=gone",
            ], arguments: [])
        let (https, url) = (try address(daemon), try address(daemon))
        func ask(_ path: String, as names: String) throws -> String {
            let own = try certificates.issue("client", names: names)
            return try curl("--cert", own.chain, "--key", own.key, url + path).output
        }
        let warehouse = "URI:spiffe://tests/warehouse"
        // The app does not exist; the token is accepted.
        #expect(try ask("/v1/apps/none/telemetry", as: warehouse).hasPrefix("HTTP/1.1 404"))
        #expect(try ask("/v1/tokens", as: warehouse).hasPrefix("HTTP/1.1 403"))
        for names in ["DNS:unknown.example", "DNS:gone.example"] {
            #expect(try ask("/v1/apps/none/telemetry", as: names).hasPrefix("HTTP/1.1 401"))
        }
        #expect(try curl(url + "/__lbheartbeat__").status != 0)
        #expect(try curl(https + "/v1/apps/none/telemetry").output.hasPrefix("HTTP/1.1 401"))
    }

    @Test func `Renewed certificates are taken at a reload, and unusable ones leave the old`() throws {
        let daemon = try start()
        let url = try address(daemon)
        let renewed = try certificates.issue("renewed", names: "DNS:localhost,IP:127.0.0.1", days: 90)
        try install((renewed.chain, certificates.key))
        try reload(daemon)
        let heartbeat = try daemon.get("/__heartbeat__").json
        #expect(heartbeat["status"] == "degraded")
        let fault = "http.tls: \(folder.path)/chain.pem: the key is of another certificate"
        #expect(heartbeat["reasons"]["settings"] == [.string(fault)])
        #expect(try curl("\(url)/__lbheartbeat__").output.hasPrefix("HTTP/1.1 200"))
        try install(renewed)
        try reload(daemon)
        let after = try daemon.get("/__heartbeat__").json
        #expect(after["status"] == "ok")
        #expect([89, 90].contains(after["certificates"]["days_left"]))
        #expect(try curl("\(url)/__lbheartbeat__").output.hasPrefix("HTTP/1.1 200"))
    }

    private func reload(_ daemon: Daemon) throws {
        let before = daemon.reloads
        daemon.signal(SIGHUP)
        try #require(eventually { daemon.reloads > before })
    }

    @Test func `All faults of the settings are told, and nothing is opened`() throws {
        let data = folder.path + "/data"
        func serve(_ settings: [String: String]) throws -> Command {
            try Command.bellwether("serve", "--port", "0", "--data", data, environment: settings)
        }
        let bad = try serve([
            "BELLWETHER_HTTP_LISTEN": "unix:,::1:80", "BELLWETHER_HTTP_TLS_LISTEN": "127.0.0.1:0",
            "BELLWETHER_HTTP_TLS_CERTIFICATES": "\(folder.path)/none.pem=\(certificates.key)",
            "BELLWETHER_HTTP_TLS_CLIENTS_AUTHORITIES": certificates.authority,
        ])
        #expect(bad.status == 1)
        #expect(
            bad.errors.split(separator: "\n").sorted() == [
                "http.listen: \"::1:80\" is not HOST:PORT, [IPV6]:PORT or unix:PATH",
                "http.listen: \"unix:\" is not HOST:PORT, [IPV6]:PORT or unix:PATH",
                "http.tls.clients: listen and authorities are set together",
                "http.tls: \(folder.path)/none.pem cannot be read: No such file or directory",
            ])
        let unused = try serve([
            "BELLWETHER_HTTP_TLS_REDIRECT": "127.0.0.1:0",
            "BELLWETHER_HTTP_TLS_CERTIFICATES": "\(certificates.chain)=\(certificates.key)",
        ])
        #expect(
            unused.errors.split(separator: "\n") == [
                "http.tls.certificates: no address uses them", "http.tls.redirect: there is no address for HTTPS",
            ])
        #expect(!FileManager.default.fileExists(atPath: data))
    }
}
