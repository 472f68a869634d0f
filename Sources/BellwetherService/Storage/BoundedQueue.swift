import Synchronization

/// A queue of elements for a thread: gathered while it works, taken together when it is free, and never more than a
/// bound.
final class BoundedQueue<Element: Sendable>: Sendable {
    enum Admission {
        /// Waits; the thread is at work and will come for it.
        case waiting
        /// Waits, and the thread must be woken.
        case first
        case full
        case closed
    }

    private struct Content {
        var elements: [(element: Element, weight: Int)] = []
        var weight = 0
        /// The thread has been woken and has not rested since.
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

    /// One element that is heavier than the bound is let in when nothing else waits.
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

    /// The oldest elements up to a weight, at least one if any waits.
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

    /// The thread has done what it took. True: more waits, and it must come again.
    func rest() -> Bool {
        content.withLock { content in
            content.isAwake = !content.elements.isEmpty
            return content.isAwake
        }
    }

    /// Lets nothing in any more; what waits can still be taken. False: it was closed before.
    @discardableResult
    func close() -> Bool {
        content.withLock { content in
            defer { content.isClosed = true }
            return !content.isClosed
        }
    }

    var isClosed: Bool { content.withLock { $0.isClosed } }

    var count: Int { content.withLock { $0.elements.count } }

    /// How much waits of how much may, under a name.
    func depth(_ name: String) -> QueueDepth { QueueDepth(name: name, waiting: count, bound: countBound) }
}

/// How much waits in one of the store's queues, and how much may.
public struct QueueDepth: Sendable, Hashable {
    public let name: String
    public let waiting: Int
    public let bound: Int
}
