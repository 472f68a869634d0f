// glibc's headers come first, as in CLibevent.
#include <sys/types.h>
#include <sys/select.h>

// SHA256_Init, _Update and _Final are marked as deprecated since OpenSSL 3.0, whose new interface allocates a context and
// asks a provider for each digest (docs/decisions/archive/0049-hashes-come-from-the-systems-libcrypto.md).
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
