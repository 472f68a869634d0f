import Glibc
import TestSupport

/// A blocking client on a real socket. Each function waits for its result, and fails after `longestWait`.
final class TestClient {
    private let descriptor: Int32
    /// Nil for a plain connection.
    private var tls: TLSClient?
    private var received: [UInt8] = []
    private var isEnded = false
    private(set) var wasReset = false

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// With `receiveBuffer`, the kernel buffers little for this client, so that the server soon notices a slow reader.
    init(_ port: Int, receiveBuffer: Int32? = nil, isEncrypted: Bool = TestCertificates.areUsed) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            Glibc.close(descriptor)
            throw Failure(description: "connect: \(String(cString: strerror(errno)))")
        }
        if isEncrypted { try beginTLS() }
    }

    /// Performs a handshake on the open connection.
    func beginTLS(
        to name: String = "localhost", as certificate: (chain: String, key: String)? = nil,
        resuming session: TLSClient.Session? = nil
    ) throws {
        tls = try TLSClient(
            descriptor, to: name, trusting: TestCertificates.shared.get(), as: certificate, resuming: session)
    }

    var isResumed: Bool { tls?.isResumed == true }
    var session: TLSClient.Session? { tls?.session }

    deinit { Glibc.close(descriptor) }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends as many bytes as the server accepts; a server that has closed the connection is no failure here.
    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                tls?.send($0) ?? Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Sends only the bytes that fit now; false if none do.
    func sendWithoutWaiting(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        if let tls { return tls.sendWithoutWaiting(bytes) }
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) > 0
    }

    func finishSending() {
        tls?.finish()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Resets the connection, so that the server gets an error instead of an end.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        // An unconnected socket in its place keeps the descriptor valid until this client is released.
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        dup2(other, descriptor)
        Glibc.close(other)
    }

    func close() {
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        dup2(other, descriptor)
        Glibc.close(other)
    }

    /// The next response: its head, and the content by its Content-Length.
    func answer(toHead: Bool = false) throws -> TestResponse {
        while true {
            if let answer = TestResponse(&received, toHead: toHead) { return answer }
            guard try readMore() else {
                throw Failure(description: "ended after \(String(decoding: received, as: UTF8.self).prefix(500))")
            }
        }
    }

    /// All bytes until the server closes the connection.
    func rest() throws -> String {
        while try readMore() {}
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// True if no byte arrives within this time. It cannot prove an absence; it turns an unwanted byte into a failure.
    func isQuiet(milliseconds: Int32) throws -> Bool {
        guard received.isEmpty else { return false }
        if let tls { return tls.isQuiet(milliseconds: milliseconds) }
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, milliseconds) == 0
    }

    /// Waits for the next bytes; false if the server has closed the connection.
    func readMore() throws -> Bool {
        guard !isEnded else { return false }
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard tls?.hasBytes == true || poll(&watched, 1, Int32(longestWait * 1000)) > 0 else {
            throw Failure(description: "nothing came")
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = buffer.withUnsafeMutableBytes {
            tls?.receive($0) ?? recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        wasReset = count < 0 && errno == ECONNRESET
        isEnded = count <= 0
        received += buffer.prefix(max(count, 0))
        return !isEnded
    }
}

/// A response as received.
struct TestResponse {
    let status: Int
    let head: String
    let body: String

    /// Takes one complete response from the front of the bytes.
    init?(_ bytes: inout [UInt8], toHead: Bool) {
        let mark = Array("\r\n\r\n".utf8)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { return nil }
        head = String(decoding: bytes[..<end], as: UTF8.self)
        status = Int(head.dropFirst(9).prefix(3)) ?? 0
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        let count = toHead ? 0 : length.flatMap { Int($0.dropFirst(16)) } ?? 0
        guard bytes.count >= end + 4 + count else { return nil }
        body = String(decoding: bytes[(end + 4)..<(end + 4 + count)], as: UTF8.self)
        bytes.removeSubrange(..<(end + 4 + count))
    }

    func header(_ name: String) -> String? {
        head.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    var saysClose: Bool { header("Connection") == "close" }
}
