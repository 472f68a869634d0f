#include "signature.h"

// Without it OPENSSL_free and the like put the path of this file into the program.
#define OPENSSL_NO_FILENAMES
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <string.h>

// The public key of the parameters; null if OpenSSL refuses them. It frees the builder.
static EVP_PKEY *make_key(const char *type, OSSL_PARAM_BLD *builder) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (parameters && context && EVP_PKEY_fromdata_init(context) == 1)
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

// Only 1 is a valid signature: other results are an invalid one, or an error. It frees the key.
static int verify(EVP_PKEY *key, const unsigned char *message, size_t message_count, const unsigned char *signature,
                  size_t signature_count) {
    int valid = 0;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (key && context && EVP_DigestVerifyInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) == 1)
        valid = EVP_DigestVerify(context, signature, signature_count, message, message_count) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return valid;
}

int bellwether_verify_rs256(const unsigned char *modulus, size_t modulus_count, const unsigned char *exponent,
                            size_t exponent_count, const unsigned char *message, size_t message_count,
                            const unsigned char *signature, size_t signature_count) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *n = BN_bin2bn(modulus, (int)modulus_count, NULL);
    BIGNUM *e = BN_bin2bn(exponent, (int)exponent_count, NULL);
    if (builder && n && e && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1)
        key = make_key("RSA", builder);
    else
        OSSL_PARAM_BLD_free(builder);
    int valid = verify(key, message, message_count, signature, signature_count);
    BN_free(n);
    BN_free(e);
    return valid;
}

int bellwether_verify_es256(const unsigned char *x, const unsigned char *y, const unsigned char *message,
                            size_t message_count, const unsigned char *signature) {
    unsigned char point[65] = {4};
    memcpy(point + 1, x, 32);
    memcpy(point + 33, y, 32);
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point) == 1)
        key = make_key("EC", builder);
    else
        OSSL_PARAM_BLD_free(builder);

    // OpenSSL reads signatures in DER.
    unsigned char *der = NULL;
    int der_count = 0;
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, 32, NULL);
    BIGNUM *s = BN_bin2bn(signature + 32, 32, NULL);
    if (pair && r && s && ECDSA_SIG_set0(pair, r, s) == 1) {
        r = s = NULL;
        der_count = i2d_ECDSA_SIG(pair, &der);
    }
    int valid = 0;
    if (der_count > 0)
        valid = verify(key, message, message_count, der, (size_t)der_count);
    else
        EVP_PKEY_free(key);
    OPENSSL_free(der);
    ECDSA_SIG_free(pair);
    BN_free(r);
    BN_free(s);
    return valid;
}
