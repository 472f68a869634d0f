// What Parquet files use of libzstd, whose soname has been libzstd.so.1 since 2016. It is loaded when it is first needed,
// so there is nothing to link, and no header of zstd's is needed to build. Contexts are opaque.
#include <stddef.h>

// From zstd.h. A result is a number of bytes or an error, which ZSTD_isError tells apart.
typedef size_t (*bellwether_zstd_compress_bound)(size_t count);
typedef unsigned int (*bellwether_zstd_is_error)(size_t result);
typedef void *_Nullable (*bellwether_zstd_create_context)(void);
typedef size_t (*bellwether_zstd_free_context)(void *_Nullable context);
typedef size_t (*bellwether_zstd_compress)(
    void *_Nonnull context, void *_Nonnull target, size_t capacity, const void *_Nullable source, size_t count,
    int level);
