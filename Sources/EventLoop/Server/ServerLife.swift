/// The state of a server (made, started, drained), and the completions that wait for its end.
struct ServerLife: Sendable {
    typealias Completion = @Sendable (Bool) -> Void

    private enum Stage { case new, running, ended }

    private var stage = Stage.new
    private var workers = 0
    private var finishedInTime = true
    private var completions: [Completion] = []

    /// Marks the server as started. Returns false if it was started before.
    mutating func start(workers count: Int) -> Bool {
        guard stage == .new else { return false }
        stage = .running
        workers = count
        return true
    }

    /// Registers a closure for the end. If the server has already ended, returns whether it ended in time.
    mutating func drain(_ completion: @escaping Completion) -> Bool? {
        guard stage == .running else {
            stage = .ended
            return finishedInTime
        }
        completions.append(completion)
        return nil
    }

    /// Records that one worker has ended. For the last worker, returns the closures to call and their argument.
    mutating func end(inTime: Bool) -> ([Completion], Bool) {
        workers -= 1
        finishedInTime = finishedInTime && inTime
        guard workers == 0 else { return ([], finishedInTime) }
        stage = .ended
        defer { completions = [] }
        return (completions, finishedInTime)
    }
}
