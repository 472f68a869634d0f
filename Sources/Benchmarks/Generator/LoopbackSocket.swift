import Foundation

/// TCP sockets on loopback.
enum LoopbackSocket {
    /// A connected descriptor. The caller closes it.
    /// - Parameter waiting: whether to wait while the server's backlog is full; otherwise a full backlog is an error.
    static func connect(to port: Int, waiting: Bool = true) throws -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | (waiting ? 0 : Int32(SOCK_NONBLOCK.rawValue))
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw Failure("no socket: \(String(cString: strerror(errno)))") }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port).bigEndian)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw Failure("cannot connect to port \(port): \(reason)")
        }
        return descriptor
    }
}

extension LoopbackSocket {
    /// Sends all bytes without waiting; false if the server did not accept all of them or has closed the connection.
    static func send(_ bytes: [UInt8], on descriptor: Int32) -> Bool {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        return bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) } == bytes.count
    }

    /// Closes by a reset, so that the system keeps no state of the connection. The system keeps a connection that was
    /// closed in order for a minute. It then drops ten thousand of them at once, during another measurement.
    static func closeByReset(_ descriptor: Int32) {
        var rule = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &rule, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    /// Closes one side without a packet to the other: a socket in repair mode sends nothing. False if the system does
    /// not allow that; the descriptor is then still open.
    static func vanish(_ descriptor: Int32) -> Bool {
        var on: Int32 = 1
        // TCP_REPAIR, which tcp(7) does not mention; 19 in linux/tcp.h.
        let repair: Int32 = 19
        guard setsockopt(descriptor, Int32(IPPROTO_TCP), repair, &on, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            return false
        }
        close(descriptor)
        return true
    }
}
