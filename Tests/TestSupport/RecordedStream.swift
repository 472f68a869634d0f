public import HTTPWire

/// A stream of a test: its content is recorded, and the test decides when its writer is called.
public final class RecordedStream: ResponseStream {
    /// Nil once the stream has ended.
    private var writer: (any StreamWriter)?
    public private(set) var content = ""
    /// The time in milliseconds after which the writer wants to be called.
    public private(set) var due: Int64?
    /// Whether the reader takes nothing.
    public var isBlocked = false

    init(_ writer: any StreamWriter) { self.writer = writer }

    public var isOpen: Bool { writer != nil }

    public func send(_ piece: [UInt8]) { content += String(decoding: piece, as: UTF8.self) }
    public func wake(afterMilliseconds milliseconds: Int64) { due = milliseconds }

    public func finish() {
        let writer = writer
        self.writer = nil
        writer?.streamEnded()
    }

    /// Calls the writer, as a worker does when the time has come. Returns what it has written.
    public func turn() -> String {
        let before = content
        due = nil
        writer?.streamIsDue()
        return String(content.dropFirst(before.count))
    }

    /// Calls the writer if it wants to be called at once.
    public func turnIfDue() -> String { due == 0 ? turn() : "" }

    public func drain() { writer?.serverDrains() }
}
