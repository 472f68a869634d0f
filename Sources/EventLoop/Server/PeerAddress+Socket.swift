internal import Glibc
internal import HTTPWire

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
