import Foundation
import TestSupport

/// A server that sends the bytes that a test gives it, one connection after another.
final class ScriptedServer {
    let port: Int
    private let listener: Int32
    private var connection: Int32?

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        guard result else { throw Failure("no port to listen on: \(String(cString: strerror(errno)))") }
    }

    deinit {
        hangUp()
        close(listener)
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Whether a client waits to be accepted.
    var isAwaited: Bool { waits(listener, milliseconds: 0) }

    /// The head of the next request, on the open connection or else on the next one.
    func receive() throws -> String {
        let descriptor = try connection ?? accepted()
        var head = ""
        while !head.hasSuffix("\r\n\r\n") {
            guard waits(descriptor, milliseconds: Int32(longestWait * 1000)) else {
                throw Failure("no request came, but \(head)")
            }
            var byte: UInt8 = 0
            guard recv(descriptor, &byte, 1, 0) == 1 else { throw Failure("the client went after \(head)") }
            head.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return head
    }

    func send(_ text: String) {
        guard let connection else { return }
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    func hangUp() {
        if let connection { close(connection) }
        connection = nil
    }

    private func accepted() throws -> Int32 {
        guard waits(listener, milliseconds: Int32(longestWait * 1000)) else { throw Failure("nobody connected") }
        let descriptor = accept(listener, nil, nil)
        connection = descriptor
        return descriptor
    }

    private func waits(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, milliseconds) > 0
    }
}
