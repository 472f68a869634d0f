// glibc's headers come first: event2/event-config.h defines _GNU_SOURCE, and fd_set would then
// have two definitions as soon as Glibc is imported beside this module.
#include <sys/types.h>
#include <sys/select.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <event2/event.h>
#include <event2/util.h>

// Declared by glibc only under _GNU_SOURCE.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

// Bytes that a socket has received and nobody has read yet; ioctl is variadic, which Swift does not import.
static inline int bellwether_unread_bytes(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}
