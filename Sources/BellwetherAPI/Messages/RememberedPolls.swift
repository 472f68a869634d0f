internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// What recent polls were answered, so that a client that asks the same again before anything could have changed costs
/// a look-up: nothing is read of its request but whether it has the answer already (architecture.md 2, "A poll's
/// cost"). Belongs to one thread, and to one snapshot and its settings.
///
/// An answer is the same as long as the same is asked by the same bytes, nothing was written of the client, and no
/// counter that was read has rotated. Each question may stand in either of two rows of eight places, which it shares
/// with few others: when they are taken, one that was asked once goes before any that came again. Messages that the
/// answers do not share are bounded by their bytes: when they are too many, it starts anew.
final class RememberedPolls {
    private let bound: Int
    private let byteBound: Int
    private var messages = HeldMessages()
    /// One for each place: a row of eight is one cache line.
    private var tags: [Tag] = []
    /// Nil where the tag is free.
    private var polls: [RememberedPoll?] = []
    private var count = 0
    private var litter = Litter<RememberedPoll?>()
    /// What is being asked now.
    private var asked: PollQuestionDigest?

    private static let initialCapacity = 1024
    /// A power of two.
    private static let ways = 8

    /// `bound` is a power of two.
    init(bound: Int, bytes: Int = 64 << 20) {
        self.bound = bound
        byteBound = bytes
    }

    func removeAll() {
        messages.removeAll()
        var removed: [RememberedPoll?] = Array(repeating: nil, count: count)
        for place in tags.indices where tags[place] != .free {
            tags[place] = .free
            count -= 1
            // Nothing is looked at, or counted, of the polls themselves: they are far apart.
            swap(&removed[count], &polls[place])
        }
        litter.add(removed)
        asked = nil
    }

    /// Takes note of what is asked, so that `remember` need not be told. A clock that was set back makes no answer hold
    /// before it was made.
    func poll(_ request: Request, at now: () -> Timestamp) -> RememberedPoll? {
        asked = PollQuestionDigest(request)
        guard let asked, let place = place(of: asked), let poll = polls[place], poll.question == asked else {
            return nil
        }
        tags[place].isAskedAgain = true
        let now = now()
        return poll.made <= now && now < poll.end ? poll : nil
    }

    /// What the request at hand was answered.
    func remember(_ polling: PollAnswering, mark: ClientMark, until end: Timestamp, answer: PollAnswer) {
        guard let asked, let found = polling.found else { return }
        let poll = RememberedPoll(asked, polling, found, mark: mark, until: end, answer: answer)
        litter.sweep()
        let known = place(of: asked)
        guard poll.made < poll.end else { return }
        if messages.bytes > byteBound {
            removeAll()
            return
        }
        if known == nil, count * 2 >= tags.count, tags.count < bound { grow() }
        enter(poll, isAskedAgain: known != nil, at: known ?? freePlace(for: asked))
    }

    /// The table grows with its clients, so that a daemon of few is small.
    private func grow() {
        let old = zip(polls, tags)
        let size = max(Self.initialCapacity, tags.count * 2)
        (tags, polls) = (Array(repeating: .free, count: size), Array(repeating: nil, count: size))
        count = 0
        for case (.some(let poll), let tag) in old {
            messages.remove(poll)
            enter(poll, isAskedAgain: tag.isAskedAgain, at: freePlace(for: poll.question))
        }
    }

    private func enter(_ poll: RememberedPoll, isAskedAgain: Bool, at place: Int) {
        if tags[place] == .free { count += 1 }
        if let replaced = polls[place] { messages.remove(replaced) }
        messages.add(poll)
        tags[place] = Tag(poll.question)
        tags[place].isAskedAgain = isAskedAgain
        polls[place] = poll
    }

    /// A place that is free, in the emptier row; else that of a question that came once; else any: the tag's own bits
    /// choose it.
    private func freePlace(for question: PollQuestionDigest) -> Int {
        let (first, second) = rows(of: question)
        let isEmptier = second.count { tags[$0] == .free } > first.count { tags[$0] == .free }
        if let free = (isEmptier ? second : first).first(where: { tags[$0] == .free }) { return free }
        let isOnce = { [tags] (place: Int) in !tags[place].isAskedAgain }
        if let once = first.first(where: isOnce) ?? second.first(where: isOnce) { return once }
        let any = Int(truncatingIfNeeded: question.first >> 32)
        return (any & Self.ways == 0 ? first : second).lowerBound + any & (Self.ways - 1)
    }

    private func place(of question: PollQuestionDigest) -> Int? {
        guard !tags.isEmpty else { return nil }
        let tag = Tag(question)
        let (first, second) = rows(of: question)
        for place in first where tags[place].isSame(as: tag) { return place }
        for place in second where tags[place].isSame(as: tag) { return place }
        return nil
    }

    private func rows(of question: PollQuestionDigest) -> (Range<Int>, Range<Int>) {
        (row(at: question.second), row(at: question.second >> 32))
    }

    private func row(at bits: UInt64) -> Range<Int> {
        let first = Int(truncatingIfNeeded: bits) & (tags.count - 1) & ~(Self.ways - 1)
        return first..<(first + Self.ways)
    }

    /// What is looked at of a place before its poll is: most of the question's first half, and whether it came again.
    private struct Tag: BitwiseCopyable, Equatable {
        private var bits: UInt64

        static let free = Tag(bits: 0)

        private init(bits: UInt64) { self.bits = bits }

        init(_ question: PollQuestionDigest) { bits = question.first & ~3 | 1 }

        var isAskedAgain: Bool {
            get { bits & 2 != 0 }
            set { bits = newValue ? bits | 2 : bits & ~2 }
        }

        func isSame(as other: Tag) -> Bool { (bits ^ other.bits) & ~2 == 0 }
    }
}
