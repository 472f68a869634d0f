#include <sys/types.h>
#include <zlib.h>

// deflateInit2 is a macro, which Swift does not import. 15 + 16 window bits: a gzip wrapper.
static inline int bellwether_deflate_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int bellwether_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
