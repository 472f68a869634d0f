import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import Synchronization
import Testing

@testable import SQLiteStore

/// Answers to microsurveys: one for each client and message.
struct ResponseTests {
    static func response(_ id: String, client: Identifier = "c1", requestID: Identifier? = nil) -> SurveyResponse {
        SurveyResponse(
            id: Identifier(id), clientID: client, message: "survey", requestID: requestID, optionIndex: 2,
            optionStringID: "Microsurvey/neutral", text: "Weder noch\0!", locale: "de", revision: 3,
            submittedAt: Timestamp(milliseconds: 1_790_000_000_123))
    }

    /// Stores an answer, unless there is one already: then the tally's `duplicates` is 1.
    private func answer(_ response: SurveyResponse, found: FoundResponses) -> ClientChange<EventTally> {
        let client = StoreUnderTest.client(response.clientID.text)
        return ClientChange(client: client, answers: [response.message], now: StoreUnderTest.now) { state, input in
            var tally = EventTally()
            if let earlier = input.response(response.message) {
                found.add(earlier)
                tally.duplicates = 1
                return ChangeOutcome(result: tally)
            }
            tally.accepted = 1
            return ChangeOutcome(responses: [response], result: tally)
        }
    }

    @Test(arguments: [nil, "request-1"])
    func isReadBackAsItWasWritten(_ requestID: Identifier?) async throws {
        let test = try StoreUnderTest()
        let found = FoundResponses()
        let first = Self.response("one", requestID: requestID)
        #expect(try await test.submit(answer(first, found: found)).map(\.accepted) == [1])
        let next = try test.reopened()
        let again = try await next.submit(answer(Self.response("two"), found: found))
        #expect(again.map(\.duplicates) == [1])
        #expect(found.all == [first])
        #expect(try next.count("response") == 1)
    }

    @Test func isSeenByLaterChangesOfTheSameTransaction() async throws {
        let test = try StoreUnderTest()
        let found = FoundResponses()
        let answers = await test.submitTogether(
            ["one", "two", "three"].map { [answer(Self.response($0), found: found)] })
        #expect(try answers.flatMap { try $0.get() }.map(\.accepted) == [1, 0, 0])
        #expect(found.all.map(\.id) == ["one", "one"])
        #expect(test.persistence.statistics.commits == 1)
    }

    @Test func isOfItsClient() async throws {
        let test = try StoreUnderTest()
        let found = FoundResponses()
        try await test.submit(answer(Self.response("one"), found: found))
        try await test.submit(answer(Self.response("two", client: "c2"), found: found))
        #expect(found.all.isEmpty)
        #expect(try test.count("response") == 2)
    }
}

final class FoundResponses: Sendable {
    private let responses = Mutex<[SurveyResponse]>([])
    func add(_ response: SurveyResponse) { responses.withLock { $0.append(response) } }
    var all: [SurveyResponse] { responses.withLock(\.self) }
}
