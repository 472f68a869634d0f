internal import Synchronization

/// Lines of the access log that wait to be written, a line for each request that was answered.
///
/// Workers append and never wait: lines beyond the bound are dropped, and counted. Another thread takes the lines and
/// writes them (setting `log.access`; off by default).
public final class AccessLog: Sendable {
    /// In bytes. Where a disk stands still, that much is kept: some tens of thousands of lines.
    private static let bound = 8 << 20

    /// The lines that were appended and not taken yet.
    public struct Lines: Sendable, Hashable {
        public var bytes: [UInt8] = []
        public var count = 0
    }

    private let waiting = Mutex(Lines())
    private let isWanted = Atomic(false)
    private let dropped = Atomic(0)
    private let reader = Mutex(Reader())

    /// In a structure: a lock around a bare function wraps the function once more at each access.
    private struct Reader {
        var wake: (@Sendable () -> Void)?
    }

    public init() {}

    /// Whether requests are logged. Read for each: costs a load.
    public var isOn: Bool { isWanted.load(ordering: .relaxed) }

    public func turn(on isOn: Bool) { isWanted.store(isOn, ordering: .relaxed) }

    /// Calls the closure, on a worker's thread, when there is something to take again; it must not block.
    public func connect(_ wake: @escaping @Sendable () -> Void) { reader.withLock { $0.wake = wake } }

    /// Takes everything.
    public func take() -> Lines {
        waiting.withLock { waiting in
            defer { waiting = Lines() }
            return waiting
        }
    }

    /// Lines that could not be written.
    public func countDropped(_ count: Int) { dropped.add(count, ordering: .relaxed) }

    /// Lines that are not in the log, since the start.
    public var droppedLines: Int { dropped.load(ordering: .relaxed) }

    public var samples: [MetricSample] {
        [
            MetricSample(
                "bellwether_access_log_dropped_total", .counter, "Requests that are missing in the access log.",
                value: Double(droppedLines))
        ]
    }

    /// One line, its line feed included.
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
