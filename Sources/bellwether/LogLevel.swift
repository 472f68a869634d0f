internal import BellwetherCommands
internal import Logging
internal import Synchronization

/// The level of all loggers of the process. It can change while they exist, because SIGHUP reads `log.level` again.
enum LogLevel {
    private static let level = Mutex(Logger.Level.info)

    static var current: Logger.Level {
        get { level.withLock { $0 } }
        set { level.withLock { $0 = newValue } }
    }

    /// Makes all loggers write to standard error, because standard output only carries results
    /// (docs/reference/http-api.md#command-line). If standard error is a pipe that no process reads, lines are lost: no
    /// thread waits for the log's reader.
    ///
    /// - Parameter node: The name in each line; nil for none.
    static func bootstrap(_ format: LogFormat, node: String?) {
        StandardError.neverWait()
        LoggingSystem.bootstrap { label in
            var handler = Handler(inner: format.handler(label: label))
            if let node { handler[metadataKey: "node"] = "\(node)" }
            return handler
        }
    }

    private struct Handler: LogHandler {
        var inner: any LogHandler

        func log(event: LogEvent) { inner.log(event: event) }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { inner[metadataKey: key] }
            set { inner[metadataKey: key] = newValue }
        }

        var metadata: Logger.Metadata {
            get { inner.metadata }
            set { inner.metadata = newValue }
        }

        var metadataProvider: Logger.MetadataProvider? {
            get { inner.metadataProvider }
            set { inner.metadataProvider = newValue }
        }

        /// The level belongs to the process, so a single logger cannot set it.
        var logLevel: Logger.Level {
            get { LogLevel.current }
            set {}
        }
    }
}
