// glibc's headers come first: event2/event-config.h defines _GNU_SOURCE, and fd_set would then
// have two definitions as soon as Glibc is imported beside this module.
#include <sys/types.h>
#include <sys/select.h>
#include <sys/eventfd.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <event2/thread.h>
#include <event2/util.h>
