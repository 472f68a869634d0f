internal import Foundation
internal import Synchronization

/// A small HTTP server for webhooks on a loopback port, with one thread for each connection.
public final class WebhookReceiver: Sendable {
    public struct Arrival: Sendable {
        public let line: String
        /// The fields, by name in lower case.
        public let headers: [String: String]
        public let body: [UInt8]
    }

    public enum Response: Sendable {
        case status(Int, headers: [String] = [], body: [UInt8] = [])
        /// Sends these bytes and closes the connection.
        case bytes(String)
        /// Sends nothing until the client disconnects.
        case silence
        /// Sends a head, then body bytes without an end.
        case endless
    }

    public let port: Int
    private let listener: Int32
    private let arrivals = Mutex<[Arrival]>([])
    private let connections = Mutex(0)
    private let reply: @Sendable (_ number: Int, Arrival) -> Response

    /// - Parameter reply: the response to the request with this number, from 0.
    public convenience init(_ reply: @escaping @Sendable (_ number: Int) -> Response) throws {
        try self.init { number, _ in reply(number) }
    }

    public init(_ reply: @escaping @Sendable (_ number: Int, Arrival) -> Response) throws {
        self.reply = reply
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard result else { throw Failure("no port to listen on: \(String(cString: strerror(errno)))") }
        (listener, port) = (descriptor, Int(in_port_t(bigEndian: address.sin_port)))
        // Each thread closes its own descriptor, so no other thread uses the number after it is reused.
        Thread.detachNewThread { [weak self] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                guard let self else {
                    close(connection)
                    break
                }
                connections.withLock { $0 += 1 }
                Thread.detachNewThread { [weak self] in
                    while let self, self.serve(connection) {}
                    close(connection)
                }
            }
            close(descriptor)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    public var url: String { "http://127.0.0.1:\(port)/hook" }
    public var requests: [Arrival] { arrivals.withLock { $0 } }
    public var connectionCount: Int { connections.withLock { $0 } }

    /// Serves one request; false if the connection is over.
    private func serve(_ connection: Int32) -> Bool {
        guard let arrival = read(connection) else { return false }
        let number = arrivals.withLock { arrivals in
            arrivals.append(arrival)
            return arrivals.count - 1
        }
        switch reply(number, arrival) {
        case .status(let status, let headers, let body):
            let lines = ["HTTP/1.1 \(status) S", "Content-Length: \(body.count)"] + headers + ["", ""]
            return write(Array(lines.joined(separator: "\r\n").utf8) + body, to: connection)
        case .bytes(let text):
            _ = write(Array(text.utf8), to: connection)
            shutdown(connection, Int32(SHUT_RDWR))
            return false
        case .silence:
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) == 1 {}
            return false
        case .endless:
            _ = write(Array("HTTP/1.1 200 S\r\n\r\n".utf8), to: connection)
            let block = Array(repeating: UInt8(ascii: "x"), count: 65_536)
            while write(block, to: connection) {}
            return false
        }
    }

    private func read(_ connection: Int32) -> Arrival? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            var byte: UInt8 = 0
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        var body = [UInt8](repeating: 0, count: Int(headers["content-length"] ?? "0") ?? 0)
        var filled = 0
        while filled < body.count {
            let count = body.withUnsafeMutableBytes {
                recv(connection, $0.baseAddress.map { $0 + filled }, $0.count - filled, 0)
            }
            guard count > 0 else { return nil }
            filled += count
        }
        return Arrival(line: lines.first ?? "", headers: headers, body: body)
    }

    private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(connection, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
