// glibc's headers come first: event2/event-config.h defines _GNU_SOURCE, and fd_set would then
// have two definitions as soon as Glibc is imported beside this module.
#include <sys/types.h>
#include <sys/select.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <event2/event.h>
#include <event2/util.h>

// Declared by glibc only under _GNU_SOURCE.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

// struct sched_attr of sched_setattr(2), which glibc 2.36 does not declare: its first version.
struct bellwether_sched_attr {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime;
    uint64_t deadline;
    uint64_t period;
};

static inline int bellwether_get_scheduling(struct bellwether_sched_attr *attributes) {
    memset(attributes, 0, sizeof *attributes);
    return (int)syscall(SYS_sched_getattr, 0, attributes, sizeof *attributes, 0);
}

static inline int bellwether_set_scheduling(struct bellwether_sched_attr *attributes) {
    attributes->size = sizeof *attributes;
    return (int)syscall(SYS_sched_setattr, 0, attributes, 0);
}

// Bytes that a socket has received and nobody has read yet; ioctl is variadic, which Swift does not import.
static inline int bellwether_unread_bytes(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}
