// What ThreadSanitizer has to know of Swift's Mutex on Linux, linked into the tests by Scripts/sanitize.
//
// Taking a free Mutex and giving back one that nobody waits for is inlined into the caller, where ThreadSanitizer sees
// it. Waiting, and waking who waits, is done by the kernel from within libswiftSynchronization.so, where it sees
// nothing, and calls a race what was in order. These functions stand before the library's own and say so; their names
// and conventions are those of the swiftinterface of Swift 6 (_MutexHandle: `self` is the handle's address).
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
