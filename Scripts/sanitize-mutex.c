// Reports the waits of Swift's Mutex on Linux to ThreadSanitizer. Scripts/sanitize links it into the tests.
//
// Swift inlines the lock of a free Mutex, and the unlock of a Mutex without waiters, into the caller, where
// ThreadSanitizer sees them. The wait and the wakeup are calls of the kernel in libswiftSynchronization.so, which
// ThreadSanitizer does not see; it would report false races. These functions replace the library's functions and report
// the order. Their names and conventions are in the swiftinterface of Swift 6 (_MutexHandle: `self` is the handle's
// address).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

typedef SWIFT void (*Lock)(uint32_t thread, SELF);
typedef SWIFT bool (*TryLock)(SELF);
typedef SWIFT void (*Unlock)(SELF);

SWIFT void lock_slow(uint32_t thread, SELF) {
    ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, self);
    __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
    bool is_taken = ((TryLock)dlsym(RTLD_NEXT, TRY_LOCK))(self);
    if (is_taken) __tsan_acquire(self);
    return is_taken;
}

SWIFT void unlock_slow(SELF) {
    __tsan_release(self);
    ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(self);
}
