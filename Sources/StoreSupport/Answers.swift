public import BellwetherService
internal import Synchronization

/// Gathers the answers to so many transactions, whatever order they come in.
public final class Answers<Value: Sendable>: Sendable {
    public typealias Answer = Result<Value, StoreError>

    private let answers: Mutex<[Answer?]>
    private let completion: @Sendable ([Answer]) -> Void

    public init(count: Int, completion: @escaping @Sendable ([Answer]) -> Void) {
        answers = Mutex(Array(repeating: nil, count: count))
        self.completion = completion
    }

    public func add(_ answer: Answer, at index: Int) {
        let all = answers.withLock { answers -> [Answer]? in
            answers[index] = answer
            let given = answers.compactMap(\.self)
            return given.count == answers.count ? given : nil
        }
        if let all { completion(all) }
    }
}
