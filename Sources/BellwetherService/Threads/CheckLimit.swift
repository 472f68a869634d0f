internal import BellwetherJSON
internal import Glibc

/// The limit of the check that a thread makes (`CheckTime`). It is a value of the thread: a task-local value without a
/// task ends a program that is linked statically.
package enum CheckLimit {
    private final class Limit {
        let isOver: @Sendable () -> Bool

        init(_ isOver: @escaping @Sendable () -> Bool) { self.isOver = isOver }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static let installed: Void = {
        CheckTime.limit = {
            guard let limit = pthread_getspecific(CheckLimit.key) else { return false }
            return Unmanaged<Limit>.fromOpaque(limit).takeUnretainedValue().isOver()
        }
    }()

    /// Makes `CheckTime` ask for the limit of its thread.
    package static func install() { installed }

    /// Runs a body whose checks end when `isOver` is true.
    package static func with<Value>(_ isOver: @escaping @Sendable () -> Bool, _ body: () -> Value) -> Value {
        install()
        let (limit, before) = (Limit(isOver), pthread_getspecific(key))
        pthread_setspecific(key, Unmanaged.passUnretained(limit).toOpaque())
        defer { pthread_setspecific(key, before) }
        return withExtendedLifetime(limit) { body() }
    }
}
