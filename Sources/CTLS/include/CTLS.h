#ifndef CTLS_H
#define CTLS_H

// glibc's headers come first, as in CLibevent.
#include <sys/types.h>
#include <sys/select.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// The number of bytes of the secret from which the keys of tickets are derived.
#define BELLWETHER_TICKET_SECRET_BYTES 32

// A context of a server: TLS 1.2 and 1.3 with the suites of Mozilla's intermediate configuration, ALPN http/1.1, one
// ticket for TLS 1.3 whose keys are derived from the secret and the day (docs/reference/tls.md#tickets). NULL without
// memory.
SSL_CTX *bellwether_tls_context(const unsigned char secret[BELLWETHER_TICKET_SECRET_BYTES]);

// The DNS names and, with `all`, also the addresses of e-mail, the URIs and the common name of a certificate, each with a
// line feed after it. A name with a control character is left out. The caller frees the text; NULL without memory.
char *bellwether_tls_names(X509 *certificate, int all);

// A time of a certificate in seconds since 1970; -1 if it cannot be read.
int64_t bellwether_tls_seconds(const ASN1_TIME *time);

// The reason of the oldest error of this thread, or an empty text. Removes all errors of this thread.
const char *bellwether_tls_reason(void);

// Whether the newest error of this thread says that the client sent a plain HTTP request.
int bellwether_tls_was_plain_http(void);

// A key in PEM; NULL if it cannot be read, or if it is encrypted.
EVP_PKEY *bellwether_tls_key(BIO *text);

// Macros of OpenSSL, as functions.
int bellwether_tls_add_chain(SSL_CTX *context, X509 *certificate);
int bellwether_tls_demand(SSL *connection, X509_STORE *authorities);
void bellwether_tls_on_name(SSL_CTX *context, int (*choose)(SSL *, int *, void *), void *argument);
const char *bellwether_tls_server_name(const SSL *connection);
int bellwether_tls_ask(SSL *connection, const char *name);

#endif
