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
    let context: PollContexts.Place
    let countdown: PollSampling.Countdown
    let ignoredAttributes: Int
    let app: String
    let principal: Principal?
    /// By which its requests are limited; 0 where they are not.
    let client: UInt64
    private let answer: PollAnswer

    /// No longer than an hour, for that is how long a mark is exact.
    init(
        _ question: PollQuestionDigest, _ polling: PollAnswering, _ found: PollContexts.Found, mark: ClientMark,
        until end: Timestamp, answer: PollAnswer
    ) {
        self.question = question
        self.mark = mark
        made = polling.call.arrived
        self.end = min(end, polling.call.principal?.expires ?? end, made.adding(seconds: 3600))
        context = found.place
        countdown = found.context.countdown
        ignoredAttributes = found.ignoredAttributes
        app = polling.app.name
        principal = polling.call.principal
        client = polling.call.worker.rates.isSet(.client) ? RateGate.key(polling.app.name, polling.clientID) : 0
        self.answer = answer
    }

    var messages: [PollAnswer.Item] { answer.items }

    func response(to request: Request, counting meter: WorkerMeter) -> Response {
        answer.head.response(to: request, counting: meter) { answer.body }
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
