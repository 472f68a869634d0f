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
    /// By which its requests are limited; 0 where they are not.
    let client: UInt64
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
        client = polling.call.worker.rates.isSet(.client) ? RateGate.key(polling.app.name, polling.clientID) : 0
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
        guard request.method == .get, request.query != nil,
            request.path.suffix(Self.path.count).elementsEqual(Self.path)
        else { return nil }
        (first, second) = request.question(with: .authorization, .acceptLanguage)
    }
}

/// What recent polls were answered, so that a client that asks the same again before anything could have changed costs
/// a look-up: nothing is read of its request but whether it has the answer already (architecture.md 2, "A poll's cost").
/// Belongs to one thread, and to one snapshot and its settings.
///
/// An answer is the same as long as the same is asked by the same bytes, nothing was written of the client, and no
/// counter that was read has rotated. A question is remembered when it comes a second time, for some come once only.
/// Each has eight places, which it shares with few others: when they are taken, one of them goes.
final class RememberedPolls {
    private let bound: Int
    /// The first half of each place's question: a row of eight is one cache line. 0 is free.
    private var tags: [UInt64] = []
    /// Nil where a question came once.
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
        guard let asked, let place = place(of: asked), let poll = polls[place], poll.question == asked else {
            return nil
        }
        let now = now()
        return poll.made <= now && now < poll.end ? poll : nil
    }

    /// What the request at hand was answered.
    func remember(_ polling: PollAnswering, mark: ClientMark, until end: Timestamp, answer: PollAnswer) {
        guard let asked else { return }
        guard let place = place(of: asked) else { return note(asked) }
        let poll = RememberedPoll(asked, polling, mark: mark, until: end, answer: answer)
        polls[place] = poll.made < poll.end ? poll : nil
    }

    /// The question came once.
    private func note(_ question: PollQuestionDigest) {
        if count * 2 >= tags.count, tags.count < bound { grow() }
        enter(Self.tag(question), nil, in: row(of: question.second))
    }

    /// The table grows with its clients, so that a daemon of few is small.
    private func grow() {
        let (oldTags, oldPolls) = (tags, polls)
        let size = max(Self.initialCapacity, oldTags.count * 2)
        (tags, polls) = (Array(repeating: 0, count: size), Array(repeating: nil, count: size))
        count = 0
        // The questions that came once are forgotten: all of a place's question is not known.
        for (tag, poll) in zip(oldTags, oldPolls) {
            if let poll { enter(tag, poll, in: row(of: poll.question.second)) }
        }
    }

    /// In a free place, else in that of a question that came once, else in any: the tag's own bits choose it.
    private func enter(_ tag: UInt64, _ poll: RememberedPoll?, in row: Range<Int>) {
        let any = row.lowerBound + Int(tag >> 32) & (Self.ways - 1)
        let place = row.first { tags[$0] == 0 } ?? row.first { polls[$0] == nil } ?? any
        if tags[place] == 0 { count += 1 }
        tags[place] = tag
        polls[place] = poll
    }

    private func place(of question: PollQuestionDigest) -> Int? {
        guard !tags.isEmpty else { return nil }
        let tag = Self.tag(question)
        for place in row(of: question.second) where tags[place] == tag { return place }
        return nil
    }

    private func row(of bits: UInt64) -> Range<Int> {
        let first = Int(truncatingIfNeeded: bits) & (tags.count - 1) & ~(Self.ways - 1)
        return first..<(first + Self.ways)
    }

    private static func tag(_ question: PollQuestionDigest) -> UInt64 { question.first | 1 }
}
