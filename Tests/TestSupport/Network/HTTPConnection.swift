internal import Glibc

/// A client with one blocking connection over a real socket. It is strict about responses, and can send any bytes.
public final class HTTPConnection {
    private let descriptor: Int32
    /// Nil for a plain connection.
    private let tls: TLSClient?
    private var received: [UInt8] = []

    /// - Parameter isEncrypted: whether the port speaks TLS.
    public init(port: Int, isEncrypted: Bool = TestCertificates.areUsed) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        self.descriptor = descriptor
        guard result == 0 else { throw Failure("cannot connect to port \(port): \(String(cString: strerror(errno)))") }
        var time = timeval(tv_sec: Int(longestWait), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        tls = isEncrypted ? try TLSClient(descriptor, trusting: try TestCertificates.shared.get()) : nil
    }

    deinit { close(descriptor) }

    /// Sends bytes unchanged.
    public func send(_ bytes: some Sequence<UInt8>) throws {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                tls?.send($0) ?? Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure("the connection broke while sending") }
            sent += count
        }
    }

    /// Sends a well-formed request; `receive` reads the response. The content type of a body is JSON unless the headers
    /// set another.
    public func send(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) throws {
        var text = "\(method) \(target) HTTP/1.1\r\n"
        if headers["Host"] == nil { text += "Host: localhost\r\n" }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
        if let body {
            text += "Content-Length: \(body.count)\r\n"
            let isTyped = headers.keys.contains { $0.lowercased() == "content-type" }
            if !isTyped { text += "Content-Type: application/json\r\n" }
        }
        try send(Array((text + "\r\n").utf8) + (body ?? []))
    }

    /// Reads one response. With `isHead`, the content that the head announces does not follow.
    public func receive(isHead: Bool = false) throws -> HTTPResponse {
        let head = try readHead()
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3))
        else {
            throw Failure("no status line: \(head)")
        }
        let headers = try lines.dropFirst().map { line -> (name: String, value: String) in
            guard let colon = line.firstIndex(of: ":") else { throw Failure("no header line: \(line)") }
            return (String(line[..<colon]), line[line.index(after: colon)...].trimmingPrefix(" ").description)
        }
        if status == 100 { return HTTPResponse(status: status, headers: headers, body: []) }
        let lengths = headers.filter { $0.name.lowercased() == "content-length" }
        let hasContent = !isHead && status != 204 && status != 304
        guard lengths.count == (status == 204 || status == 304 ? 0 : 1) else { throw Failure("lengths: \(lengths)") }
        let length = hasContent ? lengths.first.flatMap { Int($0.value) } ?? 0 : 0
        while received.count < length { try read() }
        let body = Array(received.prefix(length))
        received.removeFirst(length)
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    /// Whether the daemon has closed the connection and no more bytes have arrived.
    public func isEnded() throws -> Bool {
        guard received.isEmpty else { return false }
        var byte: UInt8 = 0
        let count = withUnsafeMutableBytes(of: &byte) { receive($0) }
        if count > 0 { received.append(byte) }
        if count < 0 && errno == EAGAIN { throw Failure("the connection neither ends nor has anything to say") }
        return count <= 0
    }

    private func readHead() throws -> String {
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        var searched = 0
        while true {
            while searched + 4 <= received.count {
                if received[searched..<(searched + 4)].elementsEqual(end) {
                    let head = String(decoding: received[..<searched], as: UTF8.self)
                    received.removeFirst(searched + 4)
                    return head
                }
                searched += 1
            }
            try read()
        }
    }

    private func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        tls?.receive(buffer) ?? recv(descriptor, buffer.baseAddress, buffer.count, 0)
    }

    private func read() throws {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = chunk.withUnsafeMutableBytes { receive($0) }
        if count < 0 && errno == EAGAIN { throw Failure("no answer after \(Int(longestWait)) seconds") }
        guard count > 0 else {
            throw Failure("the connection ended within an answer: \(String(decoding: received, as: UTF8.self))")
        }
        received += chunk[..<count]
    }
}
