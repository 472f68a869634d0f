internal import CLibevent
internal import Glibc

/// The loop of the program's main thread. It calls closures on signals, and runs closures that other threads post.
///
/// Only one loop of a process may wait for signals, because libevent handles signals in one event base.
public final class SignalLoop {
    private let base: EventBase
    private let mailbox: Mailbox<@Sendable (SignalLoop) -> Void>
    private var mailboxEvent: Event?
    private var signals: [SignalAction] = []
    private var isStopped = false

    public init() throws(ServerError) {
        base = try EventBase()
        mailbox = try Mailbox()
        mailboxEvent = try Event(base, .read(mailbox.descriptor), priority: .mailbox, context: self) { _, _, context in
            guard let context else { return }
            Unmanaged<SignalLoop>.fromOpaque(context).takeUnretainedValue().runPosted()
        }
        mailboxEvent?.add()
    }

    /// Calls `action` on this loop's thread at each such signal. After the loop has ended, the signal is ignored, so
    /// that it does not interrupt the shutdown.
    public func on(_ signal: Int32, _ action: @escaping () -> Void) throws(ServerError) {
        signals.append(try SignalAction(base, signal, action))
    }

    /// Runs until `stop`, then releases the actions, which may retain this loop.
    public func run() {
        while !isStopped { base.run() }
        isStopped = false
        signals = []
    }

    /// Ends `run`. It must be called on this loop's thread; other threads use a `handle`.
    public func stop() {
        isStopped = true
        base.stop()
    }

    /// A handle of the loop for other threads.
    public var handle: Handle { Handle(mailbox: mailbox) }

    public struct Handle: Sendable {
        let mailbox: Mailbox<@Sendable (SignalLoop) -> Void>

        /// Runs the closure on the loop's thread.
        public func perform(_ work: @escaping @Sendable (SignalLoop) -> Void) { mailbox.post(work) }
    }

    private func runPosted() {
        for work in mailbox.take() { work(self) }
    }
}

/// A closure that is called on a signal.
private final class SignalAction {
    private let action: () -> Void
    private var event: Event?

    init(_ base: EventBase, _ number: Int32, _ action: @escaping () -> Void) throws(ServerError) {
        self.action = action
        // The signal is ignored again after libevent stops watching it.
        signal(number, SIG_IGN)
        event = try Event(base, .signal(number), context: self) { _, _, context in
            guard let context else { return }
            Unmanaged<SignalAction>.fromOpaque(context).takeUnretainedValue().action()
        }
        event?.add()
    }
}
