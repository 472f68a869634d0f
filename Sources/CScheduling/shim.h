#include <sys/types.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// Sets the scheduling class, the niceness and the time slice in nanoseconds of the calling thread: sched_setattr(2),
// which the C library of Debian 12 does not declare. A kernel before 6.12 ignores the slice. Returns 0, or -1 on an
// error.
static inline long bellwether_set_scheduling(uint32_t policy, int32_t niceness, uint64_t slice) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t niceness;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = sizeof attributes, .policy = policy, .niceness = niceness, .runtime = slice};
    return syscall(SYS_sched_setattr, 0, &attributes, 0);
}
