public import BellwetherBase
public import BellwetherJSON

/// The settings of a sink that every kind has (docs/operators-guide.md#sinks).
public struct SinkSettings: Sendable {
    public let name: Identifier
    /// The apps whose data is written; nil means all.
    public let apps: Set<Identifier>?
    public let tables: Set<DataTable>
    /// The time between two writes. If it is a day, only days that are over are written.
    public let everySeconds: Int64
    /// The maximum number of records in a file of events.
    public let rows: Int

    public init(
        name: Identifier, apps: Set<Identifier>?, tables: Set<DataTable>, everySeconds: Int64, rows: Int
    ) {
        (self.name, self.apps, self.tables) = (name, apps, tables)
        (self.everySeconds, self.rows) = (everySeconds, rows)
    }

    /// The consumer whose position is the sink's.
    public var consumer: Identifier { "\(TelemetryConsumer.sinkPrefix)\(name)" }

    public func takes(_ app: Identifier) -> Bool { apps?.contains(app) ?? true }

    var waitsForDays: Bool { everySeconds >= Timestamp.secondsPerDay }
}

/// The state of a sink, for metrics and the heartbeat.
public struct SinkStatus: Sendable, Hashable {
    public struct App: Sendable, Hashable {
        /// The number of records of the log that are not written yet, up to `TelemetryConsumer.lagBound`.
        public var lag = 0
        /// The number of records or rows that this process has written.
        public var rows = 0
        public var files = 0

        public init() {}
    }

    public var apps: [Identifier: App] = [:]
    /// The end of the last attempt that wrote everything; nil before it.
    public var succeededAt: Timestamp?
    /// The reason why the last attempt failed; nil if it did not.
    public var fault: SinkFault?
    public var failures = 0

    public init() {}
}

/// A sink as metrics and the heartbeat see it.
public protocol Sink: Sendable {
    var settings: SinkSettings { get }
    var status: SinkStatus { get }
    /// Whether it has written nothing for three intervals, or an operator must act.
    var isLate: Bool { get }

    /// Begins an attempt in the background if one is due.
    func look()

    /// Ends an attempt soon; none follows.
    func stop()
}
