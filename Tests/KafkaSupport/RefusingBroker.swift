internal import Foundation
internal import TestSupport

/// A broker that refuses each sign-in by SASL PLAIN. Its message repeats the client's password.
public final class RefusingBroker: Sendable {
    public let address: String
    private let listener: Int32

    public init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard result else { throw Failure("no port: \(String(cString: strerror(errno)))") }
        address = "127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
        self.listener = listener
        Thread.detachNewThread {
            // The connections come one after another, because a producer has one connection to a broker.
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                Self.serve(connection)
                close(connection)
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ connection: Int32) {
        while let size = read(4, connection).map(integer), let request = read(size, connection),
            let response = response(to: request)
        {
            let answer = bytes(response.count + 4, 4) + request[4..<8] + response
            guard send(connection, answer, answer.count, Int32(MSG_NOSIGNAL)) == answer.count else { return }
        }
    }

    /// The body of a response. A request begins with its kind, the kind's version, and the number of the response.
    private static func response(to request: [UInt8]) -> [UInt8]? {
        switch integer(request[0..<2]) {
        case 18 where integer(request[2..<4]) > 0:
            // Unsupported: the client asks again in version 0.
            return bytes(35, 2) + bytes(1, 4) + bytes(18, 2) + bytes(0, 2) + bytes(0, 2)
        case 18:
            let kinds = [(0, 7), (3, 2), (17, 1), (18, 0), (22, 1), (36, 0)]
            return bytes(0, 2) + bytes(kinds.count, 4)
                + kinds.flatMap { bytes($0.0, 2) + bytes(0, 2) + bytes($0.1, 2) }
        case 17: return bytes(0, 2) + bytes(1, 4) + bytes(5, 2) + Array("PLAIN".utf8)
        case 36:
            // The request ends with the user and the password, each after a NUL.
            let message = Array("wrong password: ".utf8) + (request.split(separator: 0).last ?? [])
            return bytes(58, 2) + bytes(message.count, 2) + message + bytes(-1, 4)
        default: return nil
        }
    }

    private static func read(_ count: Int, _ connection: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(connection, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    private static func integer(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
