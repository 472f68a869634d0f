#ifndef BELLWETHER_SIGNATURE_H
#define BELLWETHER_SIGNATURE_H

#include <sys/types.h>
#include <sys/select.h>

/// Whether an RSA signature (PKCS #1 v1.5, SHA-256; RS256 of RFC 7518 3.3) is that of the message. The modulus and the
/// exponent are big-endian. False for every key and signature that OpenSSL refuses.
int bellwether_verify_rs256(const unsigned char *modulus, size_t modulus_count, const unsigned char *exponent,
                            size_t exponent_count, const unsigned char *message, size_t message_count,
                            const unsigned char *signature, size_t signature_count);

/// Whether an ECDSA signature (P-256, SHA-256; ES256 of RFC 7518 3.4) is that of the message. `x` and `y` have 32 bytes,
/// and the signature has 64: two numbers, big-endian.
int bellwether_verify_es256(const unsigned char *x, const unsigned char *y, const unsigned char *message,
                            size_t message_count, const unsigned char *signature);

#endif
