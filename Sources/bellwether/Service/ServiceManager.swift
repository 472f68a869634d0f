internal import BellwetherService
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The service manager that started the daemon and expects notifications. A notification is a datagram of `NAME=value`
/// lines to the manager's socket (sd_notify(3)). Without such a socket all functions do nothing.
final class ServiceManager: Sendable {
    private let descriptor: Int32
    private let address: [UInt8]
    /// The interval within which the manager expects a sign of life, in microseconds; nil if it expects none.
    let watchdogMicroseconds: UInt64?

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        address = environment["NOTIFY_SOCKET"].flatMap(Self.address) ?? []
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = address.isEmpty ? -1 : socket(AF_UNIX, kind, 0)
        // A manager that does not read must not block the daemon for ever.
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        watchdogMicroseconds =
            isMeant && descriptor >= 0
            ? environment["WATCHDOG_USEC"].flatMap { UInt64($0) }.flatMap { $0 > 0 ? $0 : nil } : nil
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func notifyReady(_ status: String) { notify("READY=1", "STATUS=\(status)") }

    /// Notifies with the time of the clock that the manager compares (systemd 253 and later).
    func notifyReloading() { notify("RELOADING=1", "MONOTONIC_USEC=\(MonotonicTime.nanoseconds / 1000)") }

    func notifyStopping() { notify("STOPPING=1", "STATUS=draining") }

    func notifyAlive() { notify("WATCHDOG=1") }

    private func notify(_ lines: String...) {
        guard descriptor >= 0 else { return }
        let text = Array(lines.map { $0.filter { $0 != "\n" } }.joined(separator: "\n").utf8)
        _ = address.withUnsafeBytes { address in
            address.baseAddress.map {
                sendto(
                    descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0.assumingMemoryBound(to: sockaddr.self),
                    socklen_t(address.count))
            }
        }
    }

    /// A `sockaddr_un` as bytes, for a path or an abstract name (`@…`); nil if the name is too long.
    private static func address(_ name: String) -> [UInt8]? {
        var path = Array(name.utf8)
        guard path.count > 1, path.count < MemoryLayout<sockaddr_un>.size - MemoryLayout<sa_family_t>.size else {
            return nil
        }
        switch path[0] {
        case UInt8(ascii: "@"): path[0] = 0
        case UInt8(ascii: "/"): path.append(0)
        default: return nil
        }
        return withUnsafeBytes(of: sa_family_t(AF_UNIX)) { Array($0) } + path
    }
}
