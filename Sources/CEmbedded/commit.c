#include "embedded.h"

// The compiler must not use the empty text in place of what is written into the section later.
__attribute__((section(".bellwether.commit"), used)) static const volatile char commit[64] = "";

const char *bellwether_commit(void) {
    return (const char *)commit;
}
