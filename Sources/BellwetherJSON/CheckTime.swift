/// The time for the check of a document. Who starts a check may end its time; readers and checks then find nothing
/// more, and their findings are not used.
public enum CheckTime {
    /// Whether the time of the present check is over.
    @TaskLocal public static var isOver: @Sendable () -> Bool = { false }
}
