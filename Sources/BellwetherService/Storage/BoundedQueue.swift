import Synchronization

/// A bounded queue of elements for a thread. Elements are gathered while the thread works, and taken together when it
/// is free.
final class BoundedQueue<Element: Sendable>: Sendable {
    enum Admission {
        /// The element waits; the thread is at work and will take it.
        case waiting
        /// The element waits, and the thread must be woken.
        case first
        case full
        case closed
    }

    private struct Content {
        var elements: [(element: Element, weight: Int)] = []
        var weight = 0
        /// Whether the thread has been woken and has not rested since.
        var isAwake = false
        var isClosed = false
    }

    private let content = Mutex(Content())
    private let countBound: Int
    private let weightBound: Int

    init(countBound: Int, weightBound: Int = .max) {
        self.countBound = countBound
        self.weightBound = weightBound
    }

    /// Adds an element. An element that is heavier than the bound is accepted only if no other one waits.
    func add(_ element: Element, weight: Int = 1) -> Admission {
        content.withLock { content in
            guard !content.isClosed else { return .closed }
            let isWithinBounds =
                content.elements.count < countBound && weight <= weightBound - min(content.weight, weightBound)
            guard content.elements.isEmpty || isWithinBounds else { return .full }
            content.elements.append((element, weight))
            content.weight += weight
            defer { content.isAwake = true }
            return content.isAwake ? .waiting : .first
        }
    }

    /// Takes the oldest elements up to a weight, and at least one if any waits.
    func take(weight limit: Int) -> [Element] {
        content.withLock { content in
            var taken = 0
            var count = 0
            while count < content.elements.count, count == 0 || taken + content.elements[count].weight <= limit {
                taken += content.elements[count].weight
                count += 1
            }
            let elements = content.elements.prefix(count).map(\.element)
            content.elements.removeFirst(count)
            content.weight -= taken
            return elements
        }
    }

    /// Notes that the thread has processed its elements. Returns true if more elements wait, so that the thread must
    /// run again.
    func rest() -> Bool {
        content.withLock { content in
            content.isAwake = !content.elements.isEmpty
            return content.isAwake
        }
    }

    /// Refuses elements from now on; those that wait can still be taken. Returns false if the queue was closed before.
    @discardableResult
    func close() -> Bool {
        content.withLock { content in
            defer { content.isClosed = true }
            return !content.isClosed
        }
    }

    var isClosed: Bool { content.withLock { $0.isClosed } }

    var count: Int { content.withLock { $0.elements.count } }

    /// The number of waiting elements and its bound, under a name.
    func depth(_ name: String) -> QueueDepth { QueueDepth(name: name, waiting: count, bound: countBound) }
}

/// The number of waiting elements in one of the store's queues, and its bound.
public struct QueueDepth: Sendable, Hashable {
    public let name: String
    public let waiting: Int
    public let bound: Int
}
