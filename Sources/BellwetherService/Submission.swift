public import BellwetherBase
public import BellwetherCore

/// One request's writes, committed together or not at all.
public struct Submission: Sendable {
    public let changes: [ClientChange]
    public let idempotency: IdempotentWrite?
    public let completion: @Sendable (Result<SubmissionResult, StoreError>) -> Void

    public init(
        _ changes: [ClientChange], idempotency: IdempotentWrite? = nil,
        completion: @escaping @Sendable (Result<SubmissionResult, StoreError>) -> Void
    ) {
        self.changes = changes
        self.idempotency = idempotency
        self.completion = completion
    }
}

public enum SubmissionResult: Sendable {
    /// One outcome a change, in order.
    case applied([ChangeResult])
    /// The idempotency key was used before with the same body: the first reply.
    case replayed(StoredReply)
    /// The idempotency key was used before with another body.
    case keyConflict
}

/// One client's share of a write: event ids to de-duplicate, and the pure function that changes its state.
///
/// The store calls `apply` inside its transaction, on the state as it is then; where several nodes share a store it
/// may be called again after a conflict, so it must depend on nothing but its arguments.
public struct ClientChange: Sendable {
    public let client: ClientReference
    /// One entry an event, in order; nil for an event without an id.
    public let eventIDs: [String?]
    /// When the ids are remembered from: the daemon's clock at the request.
    public let now: Timestamp
    public let apply: @Sendable (inout ClientState, ChangeInput) -> ChangeOutcome

    public init(
        client: ClientReference, eventIDs: [String?] = [], now: Timestamp,
        apply: @escaping @Sendable (inout ClientState, ChangeInput) -> ChangeOutcome
    ) {
        self.client = client
        self.eventIDs = eventIDs
        self.now = now
        self.apply = apply
    }
}

/// What the store knows beyond the state when it applies a change. It is valid during the call only: `response` looks
/// into the open transaction, which also sees what earlier changes of the same batch have answered.
public struct ChangeInput {
    /// Parallel to `ClientChange.eventIDs`: the id was known before, or stood earlier in the same change.
    public let isDuplicate: [Bool]
    /// The client's stored answer to a message, if any.
    public let response: (_ message: String) -> SurveyResponse?

    public init(isDuplicate: [Bool], response: @escaping (String) -> SurveyResponse?) {
        self.isDuplicate = isDuplicate
        self.response = response
    }
}

/// What a change wants recorded, and what its requester is told.
public struct ChangeOutcome: Sendable {
    public var records: [TelemetryRecord]
    public var responses: [SurveyResponse]
    /// Places in `ClientChange.eventIDs` of those that were not known and are not to be remembered after all.
    public var releasedEventIDs: [Int]
    public var result: ChangeResult

    public init(
        records: [TelemetryRecord] = [], responses: [SurveyResponse] = [], releasedEventIDs: [Int] = [],
        result: ChangeResult
    ) {
        self.records = records
        self.responses = responses
        self.releasedEventIDs = releasedEventIDs
        self.result = result
    }
}
