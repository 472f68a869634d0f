internal import Dispatch

/// A bounded queue from which one serial thread takes elements, up to a given weight at a time.
final class WorkQueue<Element: Sendable>: Sendable {
    /// Runs a job after those before it. Jobs may come from any thread.
    typealias Executor = @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

    private let queue: BoundedQueue<Element>
    private let execute: Executor
    /// The maximum weight that is taken at a time.
    private let weight: Int
    private let work: @Sendable ([Element]) -> Void

    init(
        _ queue: BoundedQueue<Element>, taking weight: Int, on execute: @escaping Executor,
        work: @escaping @Sendable ([Element]) -> Void
    ) {
        self.queue = queue
        self.weight = weight
        self.execute = execute
        self.work = work
    }

    /// Adds an element. Returns nil if it waits for its turn.
    func add(_ element: Element, weight: Int = 1) -> StoreError? {
        switch queue.add(element, weight: weight) {
        case .waiting: return nil
        case .first:
            wake()
            return nil
        case .full: return .overloaded
        case .closed: return .closed
        }
    }

    /// Runs one turn at a time, so that other jobs of the thread get their turns.
    private func wake() {
        execute { [self] in
            step()
            if queue.rest() { wake() }
        }
    }

    private func step() {
        let elements = queue.take(weight: weight)
        if !elements.isEmpty { work(elements) }
    }

    /// Refuses elements from now on. Returns false if the queue was closed before.
    @discardableResult
    func close() -> Bool { queue.close() }

    var isClosed: Bool { queue.isClosed }

    /// Processes the waiting elements. Called on the queue's thread, after `close`.
    func finish() {
        while queue.count > 0 { step() }
    }

    func depth(_ name: String) -> QueueDepth { queue.depth(name) }
}
