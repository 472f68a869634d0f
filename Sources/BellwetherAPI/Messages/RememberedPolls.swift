internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// What a client was answered when it last polled, and how long it would be answered the same.
final class RememberedPoll {
    let question: PollQuestionDigest
    /// Of the client's state that was looked at.
    let mark: ClientMark
    let made: Timestamp
    /// Exclusive: when a counter that was read rotates, an enrollment ends, or the token expires.
    let end: Timestamp
    let context: PollContext
    let principal: Principal?
    let answer: PollAnswer

    /// No longer than an hour, for that is how long a mark is exact.
    init(
        _ question: PollQuestionDigest, _ polling: PollAnswering, mark: ClientMark, until end: Timestamp,
        answer: PollAnswer
    ) {
        self.question = question
        self.mark = mark
        made = polling.call.arrived
        self.end = min(end, polling.call.principal?.expires ?? end, made.adding(seconds: 3600))
        context = polling.context
        principal = polling.call.principal
        self.answer = answer
    }
}

/// A poll by GET as it was sent: the target, and those fields that it depends on (``RememberedPolls``).
struct PollQuestionDigest: Hashable {
    let first: UInt64
    let second: UInt64

    private static let path = Array("/messages".utf8)

    /// Nil: it is something else.
    init?(_ request: Request) {
        guard request.method == .get, request.query != nil, request.path.suffix(Self.path.count).elementsEqual(Self.path)
        else { return nil }
        (first, second) = request.question(with: .authorization, .acceptLanguage)
    }
}

/// What recent polls were answered, so that a client that asks the same again before anything could have changed costs
/// a look-up: nothing is read of its request but whether it has the answer already (architecture.md 2, "A poll's cost").
/// Belongs to one thread, and to one snapshot and its settings.
///
/// An answer is the same as long as the same is asked by the same bytes, nothing was written of the client, and no
/// counter that was read has rotated. Each question has eight places, which it shares with few others: when they are
/// taken, one of them goes.
final class RememberedPolls {
    private let bound: Int
    /// The first half of each place's question: a row of eight is one cache line. 0 is free.
    private var tags: [UInt64] = []
    private var polls: [RememberedPoll?] = []
    private var count = 0
    /// What is being asked now.
    private var asked: PollQuestionDigest?

    private static let initialCapacity = 1024
    /// A power of two.
    private static let ways = 8

    /// `bound` is a power of two.
    init(bound: Int) { self.bound = bound }

    func removeAll() {
        (tags, polls) = ([], [])
        count = 0
        asked = nil
    }

    /// Takes note of what is asked, so that `remember` need not be told. A clock that was set back makes no answer hold
    /// before it was made.
    func poll(_ request: Request, at now: () -> Timestamp) -> RememberedPoll? {
        asked = PollQuestionDigest(request)
        guard let asked, let place = place(of: asked), let poll = polls[place] else { return nil }
        let now = now()
        return poll.made <= now && now < poll.end ? poll : nil
    }

    /// What the request at hand was answered.
    func remember(_ polling: PollAnswering, mark: ClientMark, until end: Timestamp, answer: PollAnswer) {
        guard let asked else { return }
        let poll = RememberedPoll(asked, polling, mark: mark, until: end, answer: answer)
        guard poll.made < poll.end else { return }
        if count * 2 >= tags.count, tags.count < bound { grow() }
        put(poll)
    }

    /// The table grows with its clients, so that a daemon of few is small.
    private func grow() {
        let old = polls
        let size = max(Self.initialCapacity, old.count * 2)
        (tags, polls) = (Array(repeating: 0, count: size), Array(repeating: nil, count: size))
        count = 0
        for case let poll? in old { put(poll) }
    }

    private func put(_ poll: RememberedPoll) {
        let row = row(of: poll.question)
        let place = place(of: poll.question) ?? row.first { tags[$0] == 0 } ?? victim(in: row, for: poll)
        if tags[place] == 0 { count += 1 }
        tags[place] = Self.tag(poll.question)
        polls[place] = poll
    }

    private func place(of question: PollQuestionDigest) -> Int? {
        guard !tags.isEmpty else { return nil }
        let tag = Self.tag(question)
        for place in row(of: question) where tags[place] == tag {
            if polls[place]?.question == question { return place }
        }
        return nil
    }

    /// Any will do, and a new question's own bits choose without looking at the others.
    private func victim(in row: Range<Int>, for poll: RememberedPoll) -> Int {
        row.lowerBound + Int(poll.question.second >> 32) & (Self.ways - 1)
    }

    private func row(of question: PollQuestionDigest) -> Range<Int> {
        let first = Int(truncatingIfNeeded: question.second) & (tags.count - 1) & ~(Self.ways - 1)
        return first..<(first + Self.ways)
    }

    private static func tag(_ question: PollQuestionDigest) -> UInt64 { question.first | 1 }
}
