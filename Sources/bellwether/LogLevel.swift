internal import Logging
internal import Synchronization

/// The level of every logger of the process. It can change while they live, for SIGHUP reads `log.level` again.
enum LogLevel {
    private static let level = Mutex(Logger.Level.info)

    static var current: Logger.Level {
        get { level.withLock { $0 } }
        set { level.withLock { $0 = newValue } }
    }

    /// From now on loggers write to standard error: standard output carries results only
    /// (docs/reference/http-api.md#command-line). Where that is a pipe without a reader, lines are lost: no thread
    /// waits for a log's reader.
    ///
    /// - Parameter node: what each line names; nil: nothing.
    static func bootstrap(node: String?) {
        StandardError.neverWait()
        LoggingSystem.bootstrap { label in
            var handler = Handler(inner: StreamLogHandler.standardError(label: label))
            if let node { handler[metadataKey: "node"] = "\(node)" }
            return handler
        }
    }

    private struct Handler: LogHandler {
        var inner: StreamLogHandler

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

        /// Setting it would be one logger's affair; the level is the process's.
        var logLevel: Logger.Level {
            get { LogLevel.current }
            set {}
        }
    }
}
