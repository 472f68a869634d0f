import Foundation

/// Plain sockets on loopback.
enum LoopbackSocket {
    /// A connected descriptor, which the caller closes.
    /// - Parameter waiting: for a server whose backlog is full; without, that is a failure.
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
    /// Sends all of it without waiting; false when the server did not take it or has hung up.
    static func send(_ bytes: [UInt8], on descriptor: Int32) -> Bool {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        return bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) } == bytes.count
    }

    /// Closes without a trace of the connection: one that is closed in order is remembered by the system for a minute,
    /// and ten thousand of them are forgotten all at once, in the time of another measurement.
    static func closeByReset(_ descriptor: Int32) {
        var rule = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &rule, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    /// Closes one side so that the other learns nothing of it: a socket under repair sends nothing. False, and still
    /// open, where that is not allowed.
    static func vanish(_ descriptor: Int32) -> Bool {
        var on: Int32 = 1
        // tcp(7) does not mention it; 19 in linux/tcp.h.
        let repair: Int32 = 19
        guard setsockopt(descriptor, Int32(IPPROTO_TCP), repair, &on, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            return false
        }
        close(descriptor)
        return true
    }
}
