public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// Records a microsurvey's answer, once (docs/reference/http-api.md#microsurvey-answers).
public struct SubmitResponse: Sendable {
    public struct Answer: Sendable {
        public let client: ClientReference
        public let message: Identifier
        /// The index of the option, as the poll contained it.
        public let option: Identifier
        public let revision: Int?
        public let locale: LanguageTag?
        public let requestID: Identifier?

        public init(
            client: ClientReference, message: Identifier, option: Identifier, revision: Int?, locale: LanguageTag?,
            requestID: Identifier?
        ) {
            self.client = client
            self.message = message
            self.option = option
            self.revision = revision
            self.locale = locale
            self.requestID = requestID
        }
    }

    public enum Refusal: Error, Sendable, Hashable {
        case unknownMessage
        case notMicrosurvey
        case unknownRevision
        case unknownOption
    }

    private let change: ClientChange<ResponseOutcome>

    /// Checks an answer as far as possible without the client's row.
    ///
    /// - Parameter id: the id of the response, if it is stored.
    public init(_ answer: Answer, in app: AppSnapshot, id: Identifier, now: Timestamp) throws(Refusal) {
        change = try Self.change(answer, in: app, id: id, now: now)
    }

    /// Stores the answer. `write` makes the reply that is stored under an idempotency key.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the request.
    ///   - stream: the name of the streams whose reader answers.
    public func run(
        in store: Persistence, bytes: Int = 0, stream: String? = nil,
        under write: IdempotentWrite<ResponseOutcome>? = nil,
        _ completion: @escaping @Sendable (Result<Claimed<ResponseOutcome>, StoreError>) -> Void
    ) {
        let transaction = Transaction(change, idempotency: write).keeping(bytes: bytes)
        store.submit(transaction.notifying(except: stream), completion)
    }

    /// Checks the answer against the revision that the client was shown. `id` is the id of the response, if it is
    /// stored.
    ///
    /// If a message has several variants, the client's branches determine which one it was shown. Such an answer is
    /// checked when it is recorded. An answer that seems invalid but has a request id is also checked then, because it
    /// may be a repetition: a publish may have replaced the revision that it answered first.
    static func change(
        _ answer: Answer, in app: AppSnapshot, id: Identifier, now: Timestamp
    ) throws(Refusal) -> ClientChange<ResponseOutcome> {
        let resolution = ResponseResolution(answer: answer, app: app, id: id, now: now)
        if app.everyVariant(of: answer.message).count <= 1 {
            do throws(Refusal) {
                let (response, facts) = try resolution.resolve(ClientMessages(app, ClientState()))
                return ClientChange(client: answer.client, answers: [answer.message], now: now, goals: app.goals) {
                    state, input in
                    let facts = ClientMessages(app, state).facts(of: facts.key) ?? facts
                    return record(response, facts, input, &state)
                }
            } catch {
                guard answer.requestID != nil else { throw error }
            }
        }
        return ClientChange(client: answer.client, answers: [answer.message], now: now, goals: app.goals) {
            state, input in
            do throws(Refusal) {
                let (response, facts) = try resolution.resolve(ClientMessages(app, state))
                return record(response, facts, input, &state)
            } catch {
                let repeated = repeated(answer.message, requestID: answer.requestID, input)
                return ChangeOutcome(result: repeated.map { .repeated($0) } ?? .refused(error))
            }
        }
    }

    /// Returns the response of the same request, if it was recorded before.
    private static func repeated(_ message: Identifier, requestID: Identifier?, _ input: ChangeInput) -> SurveyResponse?
    {
        guard let requestID, let earlier = input.response(message), let known = earlier.requestID,
            known == requestID
        else { return nil }
        return earlier
    }

    private static func record(
        _ response: SurveyResponse, _ facts: MessageFacts, _ input: ChangeInput, _ state: inout ClientState
    ) -> ChangeOutcome<ResponseOutcome> {
        if input.response(response.message) != nil {
            let repeated = repeated(response.message, requestID: response.requestID, input)
            return ChangeOutcome(result: repeated.map { .repeated($0) } ?? .alreadyResponded)
        }
        var response = response
        response.enrollment = facts.enrollment
        var journal = ClientJournal(
            state: state, clientID: response.clientID, at: response.submittedAt, goals: input.goals)
        journal.answered(facts, response)
        state = journal.state
        return ChangeOutcome(
            records: journal.records, responses: [response], result: .stored(response))
    }
}

/// Finds the revision and the option of an answer.
private struct ResponseResolution {
    let answer: SubmitResponse.Answer
    let app: AppSnapshot
    let id: Identifier
    let now: Timestamp

    func resolve(
        _ messages: ClientMessages
    ) throws(SubmitResponse.Refusal) -> (response: SurveyResponse, facts: MessageFacts) {
        guard let facts = messages.facts(of: answer.message), let current = messages.current(answer.message) else {
            throw .unknownMessage
        }
        let shown = answer.revision.map { app.known.message(answer.message, revision: $0) } ?? current
        // A control is never shown, so it has no answers.
        let meant = (shown ?? current).facts
        guard meant.kind.isAnswered, !meant.isControl else { throw .notMicrosurvey }
        guard let known = shown else { throw .unknownRevision }
        guard let index = Self.optionIndex(answer.option), known.options.indices.contains(index) else {
            throw .unknownOption
        }
        let texts = Texts(localizer: app.strings.localizer(for: answer.locale), shortName: app.manifest.shortName)
        let response = SurveyResponse(
            id: id, clientID: answer.client.id, message: answer.message, requestID: answer.requestID,
            optionIndex: index, optionStringID: known.options[index], text: texts.resolve(known.options[index].text),
            locale: answer.locale?.text ?? app.manifest.defaultLocale, revision: known.revision, submittedAt: now)
        return (response, facts)
    }

    /// An index in the form of a poll: decimal digits, no sign, no leading zero.
    private static func optionIndex(_ option: Identifier) -> Int? {
        guard let index = Int(option.text), option == String(index), index >= 0 else { return nil }
        return index
    }
}
