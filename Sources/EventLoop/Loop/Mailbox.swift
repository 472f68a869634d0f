internal import CLibevent
internal import Glibc
internal import Synchronization

/// A queue through which threads post messages to a loop. Its descriptor becomes readable when the queue is no longer
/// empty.
///
/// All messages are taken at once, in the order of posting. Many messages that arrive together therefore cost one
/// wakeup.
final class Mailbox<Message: Sendable>: Sendable {
    private struct Queue {
        var messages: [Message] = []
        var isClosed = false
    }

    /// The descriptor of an eventfd.
    let descriptor: Int32
    private let queue = Mutex(Queue())

    init() throws(ServerError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard descriptor >= 0 else { throw .resources("an event descriptor") }
    }

    /// Posts a message. Returns false if the mailbox is closed; the message is then dropped.
    @discardableResult
    func post(_ message: Message) -> Bool {
        let (isFirst, isOpen) = queue.withLock { queue in
            guard !queue.isClosed else { return (false, false) }
            queue.messages.append(message)
            return (queue.messages.count == 1, true)
        }
        if isFirst { wake() }
        return isOpen
    }

    /// Takes all messages posted so far. The descriptor is cleared first. If a message is posted in between, this call
    /// takes it, and the next wakeup finds nothing.
    func take() -> [Message] {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        return queue.withLock { queue in
            defer { queue.messages = [] }
            return queue.messages
        }
    }

    /// Blocks until a message is posted, for a thread that has no loop.
    func wait() -> [Message] {
        while true {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&watched, 1, -1)
            let messages = take()
            if !messages.isEmpty { return messages }
        }
    }

    /// Refuses all further messages and returns those that were not taken.
    func close() -> [Message] {
        queue.withLock { queue in
            queue.isClosed = true
            defer { queue.messages = [] }
            return queue.messages
        }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    deinit { _ = Glibc.close(descriptor) }
}
