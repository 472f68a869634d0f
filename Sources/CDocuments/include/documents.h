// Pages of docs/ as they were when the program was built (docs/decisions/0050-the-program-serves-its-own-documents.md).
#pragma once
#include <stddef.h>

struct bellwether_document {
    const char *_Nonnull name;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

// Null when index is the number of documents or more.
const struct bellwether_document *_Nullable bellwether_document(size_t index);
