import EventLoop
import Foundation
import TestSupport
import Testing

/// The handshakes of a server, with OpenSSL's client.
struct TLSTests {
    private static let certificates = TestCertificates.shared

    private func client(_ port: Int) throws -> TestClient { try TestClient(port, isEncrypted: false) }

    /// A connection with a handshake.
    private func connect(
        _ port: Int, to name: String = "localhost", as certificate: (chain: String, key: String)? = nil,
        resuming session: TLSClient.Session? = nil
    ) throws -> TestClient {
        let client = try client(port)
        try client.beginTLS(to: name, as: certificate, resuming: session)
        return client
    }

    @Test func `A request knows whether it came over TLS`() throws {
        let server = try TestServer()
        for (client, isEncrypted) in [(try client(server.server.port), false), (try connect(server.httpsPort), true)] {
            client.send(.get("/client"))
            #expect(try client.answer().body == "\(isEncrypted) ")
        }
    }

    @Test func `A client gets the certificate of the name that it asks for`() throws {
        let other = try Self.certificates.get().issue("other", names: "DNS:other.example,DNS:*.wild.example")
        let shared = try Self.certificates.get()
        let server = try TestServer(credentials: [(shared.chain, shared.key), other])
        for name in ["localhost", "other.example", "OTHER.example", "a.wild.example"] {
            let client = try connect(server.httpsPort, to: name)
            client.send(.get("/a"))
            #expect(try client.answer().body == "/a")
        }
        // These get the first certificate, which is of another name.
        for name in ["wild.example", "a.b.wild.example", "unknown.example"] {
            #expect(throws: (any Error).self) { try connect(server.httpsPort, to: name) }
        }
    }

    @Test(arguments: ["ECDSA", "RSA"])
    func `Certificates of one name with both kinds of keys are offered together`(_ kind: String) throws {
        let shared = try Self.certificates.get()
        let rsa = try shared.issue("rsa", names: "DNS:localhost,IP:127.0.0.1", key: .rsa)
        let server = try TestServer(credentials: [(shared.chain, shared.key), rsa])
        let cipher = "ECDHE-\(kind)-AES128-GCM-SHA256"
        let result = try openssl(server.httpsPort, "-tls1_2", "-cipher", cipher)
        #expect(result.contains("Cipher is \(cipher)"))
    }

    /// Options of OpenSSL's client, and what its output contains; nil if there is no connection.
    private static let offers: [([String], String?)] = [
        (["-tls1_1"], nil), (["-tls1_2"], "TLSv1.2"), (["-tls1_3"], "TLSv1.3"),
        (["-tls1_2", "-cipher", "AES128-SHA"], nil), (["-alpn", "h2"], nil),
        (["-alpn", "h2,http/1.1"], "ALPN protocol: http/1.1"),
    ]

    @Test(arguments: offers)
    func `Only the listed versions, suites and protocol are spoken`(
        _ options: [String], _ expected: String?
    ) throws {
        let server = try TestServer()
        let result = try openssl(server.httpsPort, options)
        #expect(result.contains("Cipher is (NONE)") == (expected == nil), "\(result)")
        if let expected { #expect(result.contains(expected)) }
    }

    /// The output of OpenSSL's client, with its errors.
    private func openssl(_ port: Int, _ options: String...) throws -> String { try openssl(port, options) }

    private func openssl(_ port: Int, _ options: [String]) throws -> String {
        let result = try Command.run(
            ["openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-servername", "localhost"] + options)
        return result.output + result.errors
    }

    @Test func `A session is resumed by each server with the same secret, and by no other`() throws {
        let (first, same, other) = (try TestServer(), try TestServer(), try TestServer(secret: 2))
        let client = try connect(first.httpsPort)
        client.send(.get("/a"))
        #expect(try client.answer().body == "/a")
        #expect(!client.isResumed)
        var session = try #require(client.session)
        for (server, isResumed) in [(same, true), (first, true), (other, false)] {
            let client = try connect(server.httpsPort, resuming: session)
            client.send(.get("/b"))
            #expect(try client.answer().body == "/b")
            #expect(client.isResumed == isResumed)
            // OpenSSL's client uses a ticket once.
            session = try #require(client.session)
        }
    }

    @Test func `A client without a certificate is refused where one is demanded`() throws {
        let server = try TestServer()
        let names = "URI:spiffe://tests/pipeline,DNS:pipeline.example,email:a@example.com"
        let own = try Self.certificates.get().issue("pipeline", names: names)
        let client = try connect(server.certificatePort, as: own)
        client.send(.get("/client"))
        let answer = try client.answer().body
        #expect(answer == "true spiffe://tests/pipeline pipeline.example a@example.com pipeline")
        let strangers = try TestCertificates().issue("stranger", names: "DNS:pipeline.example")
        for certificate in [nil, strangers] {
            // With TLS 1.3 the client's handshake ends before the server has seen the certificate.
            let refused = try? connect(server.certificatePort, as: certificate)
            refused?.send(.get("/client"))
            #expect((try? refused?.answer()) == nil)
        }
        #expect(server.eventually { $0.statistics.rejected["handshake_failed"] == 2 })
        #expect(server.board.started == ["/client"])
    }

    @Test func `Plain HTTP on the port of HTTPS gets a plain answer`() throws {
        let server = try TestServer()
        let client = try client(server.httpsPort)
        client.send(.get("/a"))
        let answer = try client.answer()
        #expect(answer.status == 400)
        #expect(answer.body.contains("https://"))
        #expect(try client.rest() == "")
        #expect(server.statistics.rejected["plain_http"] == 1)
        #expect(server.board.started.isEmpty)
    }

    @Test func `A listener that redirects sends each request to HTTPS`() throws {
        let server = try TestServer()
        let client = try client(server.redirectPort)
        client.send("POST /a%20b?c=d HTTP/1.1\r\nHost: shop.example:81\r\n\r\n")
        let answer = try client.answer()
        #expect(answer.status == 308)
        #expect(answer.header("Location") == "https://shop.example:\(server.httpsPort)/a%20b?c=d")
        #expect(server.board.started.isEmpty)
    }

    /// Nothing, and the first bytes of a ClientHello.
    private static let beginnings = ["", "\u{16}\u{03}\u{01}"]

    @Test(arguments: beginnings)
    func `A handshake that does not end in time is cut off`(_ bytes: String) throws {
        let server = try TestServer { $0.handshakeSeconds = 0.1 }
        let client = try client(server.httpsPort)
        client.send(bytes)
        #expect(try client.rest() == "")
        #expect(server.statistics.rejected["handshake_timeout"] == 1)
        #expect(server.eventually { $0.statistics.openConnections == 0 })
    }

    @Test func `Only some handshakes are in progress at once, and there is room again when they end`() throws {
        let server = try TestServer { $0.handshakes = 2 }
        let (first, second) = (try client(server.httpsPort), try client(server.httpsPort))
        for client in [first, second] { client.send("\u{16}") }
        #expect(server.eventually { $0.statistics.bytesReceived == 0 && $0.statistics.openConnections == 2 })
        // Connections of one worker are read in their order, so the two have begun.
        let third = try client(server.httpsPort)
        third.send("\u{16}")
        #expect(try third.rest() == "")
        #expect(server.statistics.rejected["handshakes"] == 1)
        first.close()
        #expect(server.eventually { $0.statistics.openConnections == 1 })
        let fourth = try connect(server.httpsPort)
        fourth.send(.get("/a"))
        #expect(try fourth.answer().body == "/a")
        // A finished handshake takes no room.
        let fifth = try connect(server.httpsPort)
        fifth.send(.get("/b"))
        #expect(try fifth.answer().body == "/b")
    }

    @Test func `Random bytes end their own connection only`() throws {
        var random = SeededGenerator(seed: 7)
        let server = try TestServer()
        let open = try connect(server.httpsPort)
        for _ in 0..<Trials.count(50, many: 2000) {
            let client = try client(server.httpsPort)
            let count = Int.random(in: 1...600, using: &random)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            // Half of them look like the head of a ClientHello.
            if Bool.random(using: &random) { bytes = [0x16, 0x03, 0x01, 0x00, UInt8(count & 0xFF), 0x01] + bytes }
            client.send(bytes)
            client.finishSending()
            _ = try client.rest()
        }
        open.send(.get("/a"))
        #expect(try open.answer().body == "/a")
    }

    /// Connections begin on several threads while the certificates change: each gets the old ones or the new ones, both
    /// of its name, and open connections keep theirs.
    @Test func `Certificates change without a lost connection`() async throws {
        // The open connection waits until the others have had their turn, which takes minutes beside other tests.
        let server = try TestServer(workers: 2) { $0.idleSeconds = 3600 }
        let (old, new) = (try TestServer.credentials(), try TestServer.credentials([try renewed()]))
        let open = try connect(server.httpsPort)
        let (shown, port) = (server.server, server.httpsPort)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        let client = try TestClient(port, isEncrypted: true)
                        client.send(.get("/a"))
                        #expect(try client.answer().body == "/a")
                    }
                }
            }
            group.addTask { for round in 0..<100 { shown.follow(round.isMultiple(of: 2) ? new : old) } }
            try await group.waitForAll()
        }
        open.send(.get("/b"))
        #expect(try open.answer().body == "/b")
        server.server.follow(old)
        #expect(throws: (any Error).self) { try connect(port, to: "renewed.example") }
        server.server.follow(new)
        _ = try connect(port, to: "renewed.example")
    }

    private func renewed() throws -> (chain: String, key: String) {
        try Self.certificates.get().issue("renewed", names: "DNS:localhost,DNS:renewed.example")
    }

    @Test func `All faults of certificates are found at once`() throws {
        let shared = try Self.certificates.get()
        let other = try shared.issue("other", names: "DNS:other.example")
        func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
        let (chain, key) = (try bytes(shared.chain), try bytes(shared.key))
        let encrypted = try Command.run(["openssl", "ec", "-aes128", "-passout", "pass:a", "-in", shared.key])
        #expect(encrypted.status == 0)
        let files = [
            TLSCertificate(chain: chain, key: try bytes(other.key), name: "a.pem"),
            TLSCertificate(chain: Array("no certificate".utf8), key: key, name: "b.pem"),
            TLSCertificate(chain: chain, key: Array(encrypted.output.utf8), name: "c.pem"),
            TLSCertificate(chain: chain + (try bytes(other.chain)), key: key, name: "d.pem"),
            TLSCertificate(chain: try bytes(shared.authority), key: key, name: "e.pem"),
        ]
        let secret = [UInt8](repeating: 1, count: TLSCredentials.secretBytes)
        let now = Int64(Date().timeIntervalSince1970)
        #expect(
            throws: TLSFaults([
                "a.pem: the key is of another certificate", "b.pem has no certificate in PEM",
                "c.pem: its key cannot be read as PEM without a password",
                "d.pem: a certificate of the chain is not issued by the one after it",
                "e.pem: the key is of another certificate", "e.pem: the certificate has no DNS name",
            ])
        ) { try TLSCredentials(files, secret: secret, now: now) }
        let good = [TLSCertificate(chain: chain, key: key, name: "f.pem")]
        let credentials = try TLSCredentials(good, secret: secret, now: now)
        #expect(credentials.names == ["localhost"])
        #expect((29...30).contains((credentials.notAfter - now) / 86_400))
        for (time, fault) in [(now + 40 * 86_400, "has expired"), (now - 86_400, "is not valid yet")] {
            #expect(throws: TLSFaults(["f.pem: the certificate \(fault)"])) {
                try TLSCredentials(good, secret: secret, now: time)
            }
        }
    }
}
