// Without it OpenSSL's macros put the path of this file into the program, and builds in two folders differ.
#define OPENSSL_NO_FILENAMES

#include "CTLS.h"

#include <openssl/core_names.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

// At its end the process would free what other threads still use.
__attribute__((constructor)) static void start(void) { OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL); }

// Tickets. The day's key seals, and the keys of the day and of the day before open.

#define NAME_BYTES 16
#define KEY_BYTES 32
#define DAY_SECONDS 86400

struct ticket_keys {
    unsigned char name[NAME_BYTES], padding[NAME_BYTES], cipher[KEY_BYTES], mac[KEY_BYTES];
};

static int secret_index = -1;

static void free_secret(void *parent, void *secret, CRYPTO_EX_DATA *data, int index, long value, void *pointer) {
    (void)parent, (void)data, (void)index, (void)value, (void)pointer;
    OPENSSL_clear_free(secret, BELLWETHER_TICKET_SECRET_BYTES);
}

static void make_index(void) { secret_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_secret); }

// Three blocks of HMAC-SHA-256 over a label, the day and the block's number.
static int derive(const unsigned char *secret, uint64_t day, struct ticket_keys *keys) {
    unsigned char message[32] = "bellwether tls ticket";
    for (int byte = 0; byte < 8; byte++) message[23 + byte] = (unsigned char)(day >> (8 * byte));
    for (int block = 0; block < 3; block++) {
        message[31] = (unsigned char)(block + 1);
        unsigned length = KEY_BYTES;
        if (!HMAC(EVP_sha256(), secret, BELLWETHER_TICKET_SECRET_BYTES, message, sizeof message,
                  (unsigned char *)keys + block * KEY_BYTES, &length))
            return 0;
    }
    return 1;
}

static int start_mac(EVP_MAC_CTX *mac, struct ticket_keys *keys) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, keys->mac, KEY_BYTES),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters);
}

// Returns 1 if the ticket is sealed, 2 if it is opened and a new one must follow, 0 for none (a full handshake), and -1
// for an error. Clients use a ticket of TLS 1.3 once (RFC 8446, C.4). TLS 1.2 gets no tickets: who steals the key reads
// all sessions of such tickets.
static int use_ticket(SSL *connection, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac,
                      int seals) {
    if (SSL_version(connection) < TLS1_3_VERSION) return 0;
    const unsigned char *secret = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), secret_index);
    uint64_t day = (uint64_t)time(NULL) / DAY_SECONDS;
    struct ticket_keys keys;
    int result = 0;
    if (seals) {
        if (!derive(secret, day, &keys) || RAND_bytes(iv, EVP_CIPHER_iv_length(EVP_aes_256_cbc())) != 1) return -1;
        memcpy(name, keys.name, NAME_BYTES);
        result = EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), NULL, keys.cipher, iv) && start_mac(mac, &keys) ? 1 : -1;
    } else {
        for (unsigned age = 0; age < 2 && result == 0; age++) {
            if (!derive(secret, day - age, &keys)) return -1;
            if (CRYPTO_memcmp(name, keys.name, NAME_BYTES) != 0) continue;
            int is_open =
                EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), NULL, keys.cipher, iv) && start_mac(mac, &keys);
            result = is_open ? 2 : -1;
        }
    }
    OPENSSL_cleanse(&keys, sizeof keys);
    return result;
}

static int choose_protocol(SSL *connection, const unsigned char **chosen, unsigned char *length,
                           const unsigned char *offered, unsigned offered_length, void *argument) {
    (void)connection, (void)argument;
    static const unsigned char own[] = "\x08http/1.1";
    int result = SSL_select_next_proto((unsigned char **)chosen, length, own, sizeof own - 1, offered, offered_length);
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

// Mozilla's intermediate configuration, version 5.7, without the suites of DHE.
static const char suites[] =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";

static int set_up(SSL_CTX *context, const unsigned char *secret) {
    static const unsigned char session_context[] = "bellwether";
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    // After a write that would block, the same bytes are offered again, perhaps at another address.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    // One read(2) takes the head and the content of a record.
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_timeout(context, DAY_SECONDS);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, NULL);
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, use_ticket);
    unsigned char *copy = OPENSSL_memdup(secret, BELLWETHER_TICKET_SECRET_BYTES);
    if (!copy || !SSL_CTX_set_ex_data(context, secret_index, copy)) return 0;
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) && SSL_CTX_set_cipher_list(context, suites)
           && SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") && SSL_CTX_set_num_tickets(context, 1)
           && SSL_CTX_set_session_id_context(context, session_context, sizeof session_context - 1);
}

SSL_CTX *bellwether_tls_context(const unsigned char secret[BELLWETHER_TICKET_SECRET_BYTES]) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_index);
    SSL_CTX *context = secret_index < 0 ? NULL : SSL_CTX_new(TLS_server_method());
    if (context && !set_up(context, secret)) {
        SSL_CTX_free(context);
        return NULL;
    }
    return context;
}

// Certificates.

static void append(BIO *text, const unsigned char *bytes, int length) {
    for (int index = 0; index < length; index++)
        if (bytes[index] < 0x20 || bytes[index] == 0x7f) return;
    if (length > 0) {
        BIO_write(text, bytes, length);
        BIO_write(text, "\n", 1);
    }
}

static void append_common_name(BIO *text, X509 *certificate) {
    X509_NAME *subject = X509_get_subject_name(certificate);
    int index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    if (index < 0) return;
    unsigned char *bytes = NULL;
    int length = ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index)));
    if (length >= 0) append(text, bytes, length);
    OPENSSL_free(bytes);
}

char *bellwether_tls_names(X509 *certificate, int all) {
    BIO *text = BIO_new(BIO_s_mem());
    if (!text) return NULL;
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    for (int index = 0; index < sk_GENERAL_NAME_num(names); index++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
        if (name->type == GEN_DNS || (all && (name->type == GEN_EMAIL || name->type == GEN_URI)))
            append(text, ASN1_STRING_get0_data(name->d.ia5), ASN1_STRING_length(name->d.ia5));
    }
    GENERAL_NAMES_free(names);
    if (all) append_common_name(text, certificate);
    BIO_write(text, "", 1);
    char *data = NULL;
    BIO_get_mem_data(text, &data);
    char *copy = data ? strdup(data) : NULL;
    BIO_free(text);
    return copy;
}

int64_t bellwether_tls_seconds(const ASN1_TIME *time) {
    struct tm parts;
    return ASN1_TIME_to_tm(time, &parts) ? (int64_t)timegm(&parts) : -1;
}

const char *bellwether_tls_reason(void) {
    const char *reason = ERR_reason_error_string(ERR_peek_error());
    ERR_clear_error();
    return reason ? reason : "";
}

int bellwether_tls_was_plain_http(void) {
    unsigned long error = ERR_peek_last_error();
    return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_HTTP_REQUEST;
}

static int no_password(char *buffer, int size, int is_written, void *argument) {
    (void)buffer, (void)size, (void)is_written, (void)argument;
    return -1;
}

EVP_PKEY *bellwether_tls_key(BIO *text) { return PEM_read_bio_PrivateKey(text, NULL, no_password, NULL); }

int bellwether_tls_add_chain(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

int bellwether_tls_demand(SSL *connection, X509_STORE *authorities) {
    SSL_set_verify(connection, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    return (int)SSL_set1_verify_cert_store(connection, authorities);
}

void bellwether_tls_on_name(SSL_CTX *context, int (*choose)(SSL *, int *, void *), void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, choose);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}

const char *bellwether_tls_server_name(const SSL *connection) {
    return SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name);
}

int bellwether_tls_ask(SSL *connection, const char *name) { return (int)SSL_set_tlsext_host_name(connection, name); }
