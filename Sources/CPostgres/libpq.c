#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// Each function calls the library's function of the same name.
#define DEFINE(result, name, parameters, arguments) \
    static result(*library_##name) parameters;      \
    result name parameters { return library_##name arguments; }
LIBPQ_FUNCTIONS(DEFINE)

static const char *fault;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        // The library frees its text at the next error.
        const char *reason = dlerror();
        fault = reason ? strdup(reason) : "no reason is known";
        return;
    }
#define FIND(result, name, parameters, arguments)                      \
    if (!(library_##name = (result(*) parameters)dlsym(library, #name))) \
        fault = "libpq.so.5 has no " #name;
    LIBPQ_FUNCTIONS(FIND)
}

const char *bellwether_load_libpq(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return fault;
}
