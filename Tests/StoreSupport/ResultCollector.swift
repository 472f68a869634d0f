public import BellwetherService
internal import Synchronization

/// Collects the results of a number of transactions, in any order, and completes when all are there.
public final class ResultCollector<Value: Sendable>: Sendable {
    public typealias Outcome = Result<Value, StoreError>

    private let answers: Mutex<[Outcome?]>
    private let completion: @Sendable ([Outcome]) -> Void

    public init(count: Int, completion: @escaping @Sendable ([Outcome]) -> Void) {
        answers = Mutex(Array(repeating: nil, count: count))
        self.completion = completion
    }

    public func add(_ answer: Outcome, at index: Int) {
        let all = answers.withLock { answers -> [Outcome]? in
            answers[index] = answer
            let given = answers.compactMap(\.self)
            return given.count == answers.count ? given : nil
        }
        if let all { completion(all) }
    }
}
