internal import BellwetherService
internal import HTTPWire
internal import Synchronization

/// The lines of the access log that wait to be written, one for each response.
///
/// Workers append lines and never wait. Lines beyond the bound are dropped and counted. Another thread takes the lines
/// and writes them (setting `log.access`; off by default).
public final class AccessLog: Sendable {
    /// The bound in bytes. If the disk blocks, this holds several tens of thousands of lines.
    private static let bound = 8 << 20

    /// The lines that were appended and not yet taken.
    public struct Lines: Sendable, Hashable {
        public var bytes: [UInt8] = []
        public var count = 0
    }

    private let waiting = Mutex(Lines())
    private let isWanted = Atomic(false)
    private let dropped = Atomic(0)
    private let reader = Mutex(Reader())

    /// A structure, because a lock around a bare function wraps the function again at each access.
    private struct Reader {
        var wake: (@Sendable () -> Void)?
    }

    public init() {}

    /// Whether requests are logged. It is read for each request, and costs one load.
    public var isOn: Bool { isWanted.load(ordering: .relaxed) }

    public func turn(on isOn: Bool) { isWanted.store(isOn, ordering: .relaxed) }

    /// Sets the closure that is called, on a worker's thread, when there are new lines to take. It must not block.
    public func connect(_ wake: @escaping @Sendable () -> Void) { reader.withLock { $0.wake = wake } }

    /// Takes all waiting lines.
    public func take() -> Lines {
        waiting.withLock { waiting in
            defer { waiting = Lines() }
            return waiting
        }
    }

    /// Counts lines that could not be written.
    public func countDropped(_ count: Int) { dropped.add(count, ordering: .relaxed) }

    /// The number of lines since the start that are missing in the log.
    public var droppedLines: Int { dropped.load(ordering: .relaxed) }

    public var samples: [MetricSample] {
        [
            MetricSample(
                "bellwether_access_log_dropped_total", .counter, "Requests that are missing in the access log.",
                value: Double(droppedLines))
        ]
    }

    /// Appends one line, which includes its line feed.
    func append(_ line: [UInt8]) {
        let (isFirst, isKept) = waiting.withLock { waiting in
            guard waiting.bytes.count + line.count <= Self.bound else { return (false, false) }
            waiting.bytes.append(contentsOf: line)
            waiting.count += 1
            return (waiting.count == 1, true)
        }
        if !isKept { countDropped(1) }
        if isFirst, let wake = reader.withLock({ $0.wake }) { wake() }
    }
}

extension APIWorker {
    /// Writes a response to the access log. `requestContext` is nil if no route matches the request.
    func logAccess(_ response: Response, to request: Request, _ requestContext: RequestContext?, nanoseconds: Int64) {
        accessLine.write(
            AccessLine.Entry(
                at: services.clock.now(), request: request, response: response, requestContext: requestContext,
                peer: settings.proxies.client(of: request), nanoseconds: nanoseconds))
        services.accessLog.append(accessLine.bytes)
    }
}
