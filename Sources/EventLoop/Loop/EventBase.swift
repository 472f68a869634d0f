internal import CLibevent

/// One libevent loop. It is created, run and freed on one thread, because it has no locks.
final class EventBase {
    /// Mailboxes have priority over sockets, so that a worker handles acknowledged messages before the next request.
    /// Requests have priority over handshakes, each of which takes as long as a dozen requests.
    enum Priority: Int32, CaseIterable {
        case mailbox = 0
        case ordinary = 1
        case handshake = 2
    }

    /// The number of callbacks of sockets after which the loop looks for events of a higher priority.
    private static let callbacks: Int32 = 16

    let pointer: OpaquePointer

    init() throws(ServerError) {
        guard let configuration = event_config_new() else { throw .resources("an event configuration") }
        defer { event_config_free(configuration) }
        // A base is never shared between threads. Changes for epoll are batched into one pass before each wait.
        let flags = EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue
        event_config_set_flag(configuration, Int32(flags))
        event_config_set_max_dispatch_interval(configuration, nil, Self.callbacks, Priority.ordinary.rawValue)
        guard let pointer = event_base_new_with_config(configuration) else { throw .resources("an event base") }
        event_base_priority_init(pointer, Int32(Priority.allCases.count))
        self.pointer = pointer
    }

    /// Runs callbacks until `stop`.
    func run() { event_base_loop(pointer, EVLOOP_NO_EXIT_ON_EMPTY) }

    /// Ends `run` after the current callback. It must be called on the base's own thread.
    func stop() { event_base_loopbreak(pointer) }

    deinit { event_base_free(pointer) }
}
