internal import CLibevent
internal import Glibc

/// One libevent event: a file descriptor or time to wait for, and the function to call. Freed with the value; keeps its
/// base.
struct Event: ~Copyable {
    enum Interest {
        case read(Int32)
        case write(Int32)
        case signal(Int32)
        case timer
    }

    private let pointer: OpaquePointer
    private let base: EventBase

    /// `context` is handed to `callback` unretained: its owner must free the event first.
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

    /// Starts waiting. False when the kernel refuses (out of memory or watches).
    @discardableResult
    borrowing func add() -> Bool { event_add(pointer, nil) == 0 }

    /// Starts waiting, at most so long.
    borrowing func add(milliseconds: Int64) {
        let wait = max(milliseconds, 0)
        var time = timeval(tv_sec: Int(wait / 1000), tv_usec: Int(wait % 1000) * 1000)
        event_add(pointer, &time)
    }

    borrowing func remove() { event_del(pointer) }

    deinit { event_free(pointer) }
}
