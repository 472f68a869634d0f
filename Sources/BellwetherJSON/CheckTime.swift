/// The time for the check of a document. The starter of a check may end its time; readers and checks then find nothing
/// more, and their findings are not used.
public enum CheckTime {
    #if os(iOS)
        /// Whether the time of the present check is over. A device has no limit.
        public static var isOver: @Sendable () -> Bool { { false } }
    #else
        /// Whether the time of the present check is over.
        @TaskLocal public static var isOver: @Sendable () -> Bool = { false }
    #endif
}
