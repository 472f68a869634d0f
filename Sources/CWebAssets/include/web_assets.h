// The files of Web/dist as they were when the program was built, compressed with gzip
// (docs/decisions/0062-the-widget-is-plain-modules-built-into-the-program.md).
#pragma once
#include <stddef.h>

struct bellwether_web_asset {
    const char *_Nonnull name;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

// Null when index is the number of files or more.
const struct bellwether_web_asset *_Nullable bellwether_web_asset(size_t index);
