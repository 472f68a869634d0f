// Files of the repository as they were when the program was built: documents, and the scripts of Web/dist
// (docs/decisions/0050-the-program-serves-its-own-documents.md,
// docs/decisions/0062-the-widget-is-plain-modules-built-into-the-program.md).
#pragma once
#include <stddef.h>

struct bellwether_embedded_file {
    // The path in the repository.
    const char *_Nonnull path;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

// Null when index is the number of files or more.
const struct bellwether_embedded_file *_Nullable bellwether_embedded_file(size_t index);

// The commit of a release, which Scripts/release-files writes into the program; empty in other builds.
const char *_Nonnull bellwether_commit(void);
