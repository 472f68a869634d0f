#include <sys/types.h>
#include <libpq-fe.h>
