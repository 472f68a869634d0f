internal import BellwetherJSON
internal import Synchronization

/// Serialises the actions on a run in this process: an action begins when the previous one has its outcome
/// (docs/reference/flows.md#one-action-after-another). It does the same for the starts of a flow by a respondent.
///
/// It has no thread: a waiting action begins on the thread that ended the previous one. The active and the waiting
/// actions are bounded in number and bytes.
public final class FlowTurns: Sendable {
    enum Subject: Hashable {
        case run(RunReference)
        /// The start of a flow by a respondent.
        case start(slug: Identifier, RespondentIDs)
    }

    /// An action that has its turn. It calls `end` once, on any thread, when it has its outcome.
    typealias Action = @Sendable (_ hasWaited: Bool, _ end: @escaping @Sendable () -> Void) -> Void

    /// The maximum number of active and waiting actions.
    static let maximumActions = 10_000
    static let maximumBytes = 128 << 20

    private struct Waiting {
        let bytes: Int
        let action: Action
    }

    private struct State {
        /// The waiting actions, oldest first. Each key is a subject that has an active action.
        var waiting: [Subject: [Waiting]] = [:]
        var count = 0
        var bytes = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Begins the action at once if the subject has no active action, otherwise after the actions that wait already.
    ///
    /// - Parameter bytes: the bytes of the request.
    /// - Returns: false if the maximum is reached.
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

    /// Begins the action, and then the waiting ones, as long as each ends before its call returns. Otherwise the next
    /// one begins where the action ends. So many actions need no more stack than one.
    private func run(_ first: Waiting, hasWaited: Bool, on subject: Subject) {
        var (next, hasWaited): (Waiting?, Bool) = (first, hasWaited)
        while let turn = next {
            // Two events are possible: the call returns, or the action ends. The second event begins the next action.
            let isSecond = Atomic<Bool>(false)
            turn.action(hasWaited) { [self] in
                guard isSecond.exchange(true, ordering: .acquiringAndReleasing) else { return }
                if let next = end(turn, on: subject) { run(next, hasWaited: true, on: subject) }
            }
            guard isSecond.exchange(true, ordering: .acquiringAndReleasing) else { return }
            (next, hasWaited) = (end(turn, on: subject), true)
        }
    }

    /// Ends a turn, and returns the next action.
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
