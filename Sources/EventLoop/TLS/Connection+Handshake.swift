internal import HTTPWire

/// The handshake of an encrypted connection. It begins with the client's first byte, because OpenSSL needs memory from
/// then on, and many connections are opened in advance.
extension Connection {
    func decryptedInput() -> TLSStream.Input {
        guard let stream = tls ?? beginHandshake() else { return .failed(.other) }
        var input = TLSStream.Input.none
        _ = worker.input.fill { buffer in
            input = stream.read(into: buffer)
            return if case .bytes(let count) = input { count } else { 0 }
        }
        if stream.isEstablished && isShakingHands { established(stream) }
        return input
    }

    /// Whether the handshake has begun and not ended.
    private var isShakingHands: Bool { tls != nil && handshakeDeadline != .max }

    /// Returns nil if the connection must be closed.
    private func beginHandshake() -> TLSStream? {
        guard worker.handshakes < worker.limits.handshakes, worker.responder?.admitsHandshake(from: peer) == true else {
            worker.counters.reject("handshakes")
            return nil
        }
        let demandsCertificate = service == .httpsWithCertificate
        guard let credentials = worker.credentials.value,
            let stream = TLSStream(credentials, descriptor: descriptor, demandsCertificate: demandsCertificate)
        else { return nil }
        tls = stream
        worker.handshakes += 1
        return stream
    }

    private func established(_ stream: TLSStream) {
        if service == .httpsWithCertificate { clientNames = stream.clientNames }
        endHandshake()
        readEvent?.set(.ordinary)
    }

    /// Ends the count of the handshake, whether it was completed or not.
    func endHandshake() {
        guard isShakingHands else { return }
        handshakeDeadline = .max
        worker.handshakes -= 1
    }
}

/// The response of a listener that only sends clients to HTTPS.
enum HTTPSRedirect {
    /// - Parameter port: the port of HTTPS; nil for 443.
    static func response(to request: Request, port: Int?) -> Response {
        guard let host = request.header(.host).map({ String(decoding: $0, as: UTF8.self) }), !host.isEmpty else {
            return .problem(Problem(400, "The request has no Host field, so its address over HTTPS is not known."))
        }
        let target = request.path + (request.query.map { [UInt8(ascii: "?")] + $0 } ?? [])
        // The method and the content stay the same (RFC 9110 15.4.9).
        var response = Response(308)
        let suffix = port.flatMap { $0 == 443 ? nil : ":\($0)" } ?? ""
        response.add("Location", "https://\(name(of: host))\(suffix)\(String(decoding: target, as: UTF8.self))")
        return response
    }

    /// The host without its port.
    private static func name(of host: String) -> Substring {
        if host.first == "[", let end = host.firstIndex(of: "]") { return host[...end] }
        return host.prefix { $0 != ":" }
    }
}
