import Foundation

/// One of the C programs that the daemon is compared with, on a free port.
final class ReferenceServer: RunningServer {
    let port: Int
    private let child: Child
    var pid: pid_t { child.pid }

    /// Starts `PROGRAM PORT ARGUMENTS…` and waits until it accepts connections.
    init(_ program: String, _ arguments: [String], bench: Workbench) throws {
        port = try Self.freePort()
        let name = URL(fileURLWithPath: program).lastPathComponent
        child = try Child(
            [program, "\(port)"] + arguments, core: bench.serverCore, log: "\(bench.directory)/\(name)")
        let port = self.port
        try child.waitUntil("listener", within: 5) { (try? LoopbackClient(port: port)) != nil }
    }

    func stop() { child.stop() }

    /// A port that the kernel has just assigned. It is free unless another process binds it in the meantime.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard bound else { throw Failure("no free port: \(String(cString: strerror(errno)))") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
