import Foundation
import TestSupport

/// The service manager's side: a datagram socket with a path or an abstract name.
final class NotifySocket {
    /// The name for `NOTIFY_SOCKET`.
    let name: String
    private let descriptor: Int32
    private let folder: TemporaryDirectory?

    init(isAbstract: Bool) throws {
        let folder = isAbstract ? nil : try TemporaryDirectory()
        self.folder = folder
        name = folder.map { $0.path + "/n" } ?? "@bellwether-test-\(UUID().uuidString)"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { target in
            target.copyBytes(from: path)
            if isAbstract { target[0] = 0 }
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw Failure("cannot bind \(name): \(String(cString: strerror(errno)))") }
        var patience = timeval(tv_sec: Int(longestWait), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// The lines of the next datagram.
    func receive() throws -> [String] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { throw Failure("no datagram came") }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The first datagram that has a line; earlier datagrams are skipped.
    func receive(_ line: String) throws -> [String] {
        while true {
            let lines = try receive()
            if lines.contains(line) { return lines }
        }
    }
}
