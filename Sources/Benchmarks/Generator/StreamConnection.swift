import Foundation

/// One keep-alive connection of a stream. It has at most one request under way.
final class StreamConnection {
    /// The owner of this connection.
    unowned let traffic: StreamTraffic
    private(set) var descriptor: Int32 = -1
    /// The index of the connection among those that await a response; -1 if it awaits none.
    var slot = -1
    /// The time at which the request under way should have been sent.
    private(set) var intended: Int64 = 0
    private var reader = ResponseReader()
    private let port: Int

    init(to port: Int, of traffic: StreamTraffic) throws {
        self.port = port
        self.traffic = traffic
        try connect(waiting: true)
    }

    deinit { close(descriptor) }

    private func connect(waiting: Bool) throws {
        descriptor = try LoopbackSocket.connect(to: port, waiting: waiting)
    }

    /// Sends a request; false if the server did not accept all of it.
    func send(_ request: [UInt8], intended: Int64) -> Bool {
        self.intended = intended
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let count = request.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
        return count == request.count
    }

    enum Received {
        case nothing
        case answer(Int)
        case failure(String)
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count == 0 { return .failure("hung up") }
        guard count > 0 else { return errno == EAGAIN ? .nothing : .failure(String(cString: strerror(errno))) }
        switch reader.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
        case .complete: return .answer(reader.status)
        case .incomplete: return .nothing
        case .unreadable: return .failure("no HTTP")
        }
    }

    /// Replaces a failed connection by a new one, if the server accepts it at once.
    func replace() throws {
        close(descriptor)
        descriptor = -1
        reader = ResponseReader()
        try connect(waiting: false)
    }
}
