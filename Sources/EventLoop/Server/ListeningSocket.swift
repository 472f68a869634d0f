internal import Glibc
internal import HTTPWire
internal import Synchronization

/// A bound socket. Several sockets with the same address share its connections (SO_REUSEPORT). A socket is closed only
/// once.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    let port: Int
    private let isClosed = Atomic(false)

    /// The number of unsent bytes of a response that the kernel buffers. Without this limit, the kernel holds megabytes
    /// for each client that does not read.
    static let unsentBytes: Int32 = 131_072
    /// TCP_NOTSENT_LOWAT of tcp(7). It is defined in the kernel's header, not in the C library's.
    static let unsentLimit: Int32 = 25

    /// Whether other sockets may be bound to the same address.
    private enum Sharing: Int32 {
        case alone = 0
        case shared = 1
    }

    /// One socket for each worker. With port 0, the first socket's free port is used for the others.
    static func bind(_ address: ListenAddress, workers: Int) throws(ServerError) -> [ListeningSocket] {
        let (host, port): (String, Int)
        switch address.location {
        case .network(let name, let number): (host, port) = (name, number)
        case .local(let path):
            let first = try ListeningSocket(path: path)
            // A socket of the file system has one queue, from which all workers accept.
            return try [first] + (1..<workers).map { _ throws(ServerError) in try ListeningSocket(sharing: first) }
        }
        // With SO_REUSEPORT the bind also succeeds beside another daemon on the same port, which then loses connections
        // to this one.
        if port != 0 { try ListeningSocket(host, port, .alone).close() }
        let first = try ListeningSocket(host, port)
        return try [first] + (1..<workers).map { _ throws(ServerError) in try ListeningSocket(host, first.port) }
    }

    /// Binds a path. The socket of a daemon that has ended is replaced; a file of another kind is a fault.
    private init(path: String) throws(ServerError) {
        func fault(_ reason: String) -> ServerError { .path(path, reason: reason) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity else { throw fault("the path has \(capacity) bytes or more") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        func call(_ descriptor: Int32, _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
            withUnsafeBytes(of: &address) { bytes in
                bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.map { function(descriptor, $0, size) } ?? -1
            }
        }
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFSOCK else { throw fault("a file that is no socket has this name") }
            let probe = socket(AF_UNIX, Int32(kind), 0)
            let isServed = call(probe, connect) == 0 || errno == EAGAIN
            _ = Glibc.close(probe)
            guard !isServed else { throw fault("another process listens there") }
            unlink(path)
        }
        let descriptor = socket(AF_UNIX, Int32(kind), 0)
        guard descriptor >= 0 else { throw fault(Self.reason()) }
        guard call(descriptor, Glibc.bind) == 0, chmod(path, 0o660) == 0 else {
            let reason = Self.reason()
            _ = Glibc.close(descriptor)
            throw fault(reason)
        }
        self.descriptor = descriptor
        port = 0
    }

    private init(sharing other: ListeningSocket) throws(ServerError) {
        descriptor = fcntl(other.descriptor, F_DUPFD_CLOEXEC, 0)
        port = other.port
        guard descriptor >= 0 else { throw .resources("a listening socket") }
    }

    private init(_ host: String, _ port: Int, _ sharing: Sharing = .shared) throws(ServerError) {
        guard (0...65_535).contains(port) else {
            throw .bind(host: host, port: port, reason: "no such port")
        }
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else { throw .host(host) }
        defer { freeaddrinfo(found) }
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = socket(address.pointee.ai_family, Int32(kind), 0)
        guard descriptor >= 0 else { throw .bind(host: host, port: port, reason: Self.reason()) }
        // Accepted sockets inherit these.
        for (level, option, value) in [
            (SOL_SOCKET, SO_REUSEADDR, 1), (SOL_SOCKET, SO_REUSEPORT, sharing.rawValue),
            // Without this option, pipelined responses wait for delayed acknowledgements.
            (Int32(IPPROTO_TCP), TCP_NODELAY, 1),
            (Int32(IPPROTO_TCP), Self.unsentLimit, Self.unsentBytes),
        ] {
            var value = value
            setsockopt(descriptor, level, option, &value, 4)
        }
        guard Glibc.bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
            let reason = Self.reason()
            _ = Glibc.close(descriptor)
            throw .bind(host: host, port: port, reason: reason)
        }
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor) ?? port
    }

    func listen(backlog: Int) -> Bool { Glibc.listen(descriptor, Int32(clamping: backlog)) == 0 }

    func close() {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        _ = Glibc.close(descriptor)
    }

    deinit { close() }

    private static func reason() -> String { String(cString: strerror(errno)) }

    private static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) { bytes in
            getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
        }
        guard result == 0 else { return nil }
        switch PeerAddress(storage) {
        case .ipv4(_, let port), .ipv6(_, _, let port): return Int(port)
        case .unknown: return nil
        }
    }
}

extension PeerAddress {
    /// The address in the form of the socket calls; unknown for families other than IPv4 and IPv6.
    init(_ storage: sockaddr_storage) {
        self = withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let address = bytes.load(as: sockaddr_in.self)
                return .ipv4(UInt32(bigEndian: address.sin_addr.s_addr), port: UInt16(bigEndian: address.sin_port))
            case AF_INET6:
                let start = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
                let high = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                let low = bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
                let port = bytes.load(as: sockaddr_in6.self).sin6_port
                return .ipv6(UInt64(bigEndian: high), UInt64(bigEndian: low), port: UInt16(bigEndian: port))
            default: return .unknown
            }
        }
    }
}

/// The number of file descriptors that the process may open.
enum Descriptors {
    /// Reserved for files, databases and libraries. Without a free descriptor, some of them end the process.
    private static let forOthers = 64
    /// The descriptors of a worker's loop, mailbox and timers.
    private static let forLoop = 7
    /// The smallest useful number of connections.
    private static let fewest = 16

    /// The number of descriptors that remain for connections.
    static func forConnections(workers: Int, listeners: Int) throws(ServerError) -> Int {
        let reserved = forOthers + workers * (forLoop + listeners + Worker.refusedAtOnce)
        let limit = raiseLimit()
        guard limit >= reserved + fewest else {
            throw .resources("\(reserved + fewest) open files, which \(workers) workers need: the limit is \(limit)")
        }
        return limit - reserved
    }

    /// Raises the limit on open files to the maximum that the system allows this process, and returns it.
    private static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
