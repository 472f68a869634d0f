/// The time for the check of a document. The starter of a check may end its time; readers and checks then find nothing
/// more, and their findings are not used.
public enum CheckTime {
    /// Says whether the time of the check on this thread is over. Nil: no check has a limit, as on a device. It is set
    /// once, to a function without state of its own.
    nonisolated(unsafe) package static var limit: (@convention(c) () -> Bool)?

    /// Whether the time of the present check is over.
    public static func isOver() -> Bool { limit?() ?? false }
}
