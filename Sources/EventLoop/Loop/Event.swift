internal import CLibevent
internal import Glibc

/// One libevent event: the file descriptor, signal or time to wait for, and the function to call. It is freed with the
/// value, and must not outlive its base.
struct Event: ~Copyable {
    enum Interest {
        case read(Int32)
        case write(Int32)
        case signal(Int32)
        case timer
    }

    private let pointer: OpaquePointer
    private let base: EventBase

    /// `context` is passed to `callback` unretained, so its owner must free the event first.
    init(
        _ base: EventBase, _ interest: Interest, priority: EventBase.Priority = .ordinary, context: AnyObject,
        _ callback: @escaping event_callback_fn
    ) throws(ServerError) {
        let (descriptor, flags) =
            switch interest {
            case .read(let descriptor): (descriptor, EV_READ | EV_PERSIST)
            case .write(let descriptor): (descriptor, EV_WRITE | EV_PERSIST)
            case .signal(let number): (number, EV_SIGNAL | EV_PERSIST)
            case .timer: (-1, 0)
            }
        let context = Unmanaged.passUnretained(context).toOpaque()
        guard let pointer = event_new(base.pointer, descriptor, Int16(flags), callback, context) else {
            throw .resources("an event")
        }
        event_priority_set(pointer, priority.rawValue)
        self.pointer = pointer
        self.base = base
    }

    /// Starts waiting. Returns false if the kernel refuses, because it has no memory or no watches left.
    @discardableResult
    borrowing func add() -> Bool { event_add(pointer, nil) == 0 }

    /// Starts waiting, for at most this time.
    borrowing func add(milliseconds: Int64) {
        let wait = max(milliseconds, 0)
        var time = timeval(tv_sec: Int(wait / 1000), tv_usec: Int(wait % 1000) * 1000)
        event_add(pointer, &time)
    }

    /// Calls the function soon, as if the descriptor were readable.
    borrowing func activate() { event_active(pointer, Int32(EV_READ), 0) }

    /// Must not be called while the event is active, except by its own function.
    borrowing func set(_ priority: EventBase.Priority) { event_priority_set(pointer, priority.rawValue) }

    borrowing func remove() { event_del(pointer) }

    deinit { event_free(pointer) }
}
