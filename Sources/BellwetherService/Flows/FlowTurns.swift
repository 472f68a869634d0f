internal import Synchronization

/// Lets the actions on a run take turns in this process: one begins when the one before it has its outcome
/// (docs/reference/flows.md#one-action-after-another). The starts of a flow by a respondent take turns likewise.
///
/// It has no thread: an action that waited begins on the thread that ended the one before it. The actions under way and
/// those that wait are bounded in number and bytes.
public final class FlowTurns: Sendable {
    enum Subject: Hashable {
        case run(RunReference)
        /// A flow's start by a respondent.
        case start(slug: String, RespondentIDs)
    }

    /// An action from its turn on. `end` is called once, on any thread, when it has its outcome.
    typealias Action = @Sendable (_ hasWaited: Bool, _ end: @escaping @Sendable () -> Void) -> Void

    /// The bound of the actions under way and those that wait.
    static let maximumActions = 10_000
    static let maximumBytes = 128 << 20

    private struct Waiting {
        let bytes: Int
        let action: Action
    }

    private struct State {
        /// Those that wait, oldest first, by the subject that one is under way on.
        var waiting: [Subject: [Waiting]] = [:]
        var count = 0
        var bytes = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Begins the action at once if none is under way on the subject, else after those that wait already.
    ///
    /// - Parameter bytes: of the request.
    /// - Returns: false: there are as many as may be.
    func take(_ subject: Subject, bytes: Int, _ action: @escaping Action) -> Bool {
        enum Turn { case first, later, none }
        let turn = state.withLock { state -> Turn in
            guard state.count < Self.maximumActions, state.bytes + bytes <= Self.maximumBytes else { return .none }
            state.count += 1
            state.bytes += bytes
            guard state.waiting[subject] == nil else {
                state.waiting[subject]?.append(Waiting(bytes: bytes, action: action))
                return .later
            }
            state.waiting[subject] = []
            return .first
        }
        if turn == .first { run(Waiting(bytes: bytes, action: action), hasWaited: false, on: subject) }
        return turn != .none
    }

    /// Begins the action, and then those that wait as long as each ends before its call returns. Else the next one
    /// begins where the action ends. So any number of them needs no more stack than one.
    private func run(_ first: Waiting, hasWaited: Bool, on subject: Subject) {
        var (next, hasWaited): (Waiting?, Bool) = (first, hasWaited)
        while let turn = next {
            // The call has returned, or the action has ended: whichever is second goes on.
            let isSecond = Atomic<Bool>(false)
            turn.action(hasWaited) { [self] in
                guard isSecond.exchange(true, ordering: .acquiringAndReleasing) else { return }
                if let next = end(turn, on: subject) { run(next, hasWaited: true, on: subject) }
            }
            guard isSecond.exchange(true, ordering: .acquiringAndReleasing) else { return }
            (next, hasWaited) = (end(turn, on: subject), true)
        }
    }

    /// The action that is next.
    private func end(_ turn: Waiting, on subject: Subject) -> Waiting? {
        state.withLock { state in
            state.count -= 1
            state.bytes -= turn.bytes
            guard let next = state.waiting[subject]?.first else {
                state.waiting[subject] = nil
                return nil
            }
            state.waiting[subject]?.removeFirst()
            return next
        }
    }
}
