// What commands and webhooks use of libcurl, whose soname has been libcurl.so.4 since 2006. It is loaded when the first
// request is made, so there is nothing to link, and no header of curl's is needed to build. Handles and lists are opaque.
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// From curl/curl.h; numbers are never given again. 0: long, 10000: pointer, 20000: function, 30000: curl_off_t.
typedef enum {
    CURLOPT_LOW_SPEED_LIMIT = 19,
    CURLOPT_LOW_SPEED_TIME = 20,
    CURLOPT_NOPROGRESS = 43,
    CURLOPT_NOBODY = 44,
    CURLOPT_NETRC = 51,
    CURLOPT_FOLLOWLOCATION = 52,
    CURLOPT_SSL_VERIFYPEER = 64,
    CURLOPT_CONNECTTIMEOUT = 78,
    CURLOPT_SSL_VERIFYHOST = 81,
    CURLOPT_HTTP_VERSION = 84,
    CURLOPT_NOSIGNAL = 99,
    CURLOPT_TIMEOUT_MS = 155,
    CURLOPT_CONNECTTIMEOUT_MS = 156,
    CURLOPT_PROTOCOLS = 181,
    CURLOPT_PATH_AS_IS = 234,
    CURLOPT_WRITEDATA = 10001,
    CURLOPT_URL = 10002,
    CURLOPT_PROXY = 10004,
    CURLOPT_ERRORBUFFER = 10010,
    CURLOPT_POSTFIELDS = 10015,
    CURLOPT_USERAGENT = 10018,
    CURLOPT_HTTPHEADER = 10023,
    CURLOPT_HEADERDATA = 10029,
    CURLOPT_CUSTOMREQUEST = 10036,
    CURLOPT_XFERINFODATA = 10057,
    CURLOPT_ACCEPT_ENCODING = 10102,
    CURLOPT_OPENSOCKETDATA = 10164,
    CURLOPT_COPYPOSTFIELDS = 10165,
    CURLOPT_PREREQDATA = 10313,
    CURLOPT_PROTOCOLS_STR = 10318,
    CURLOPT_WRITEFUNCTION = 20011,
    CURLOPT_HEADERFUNCTION = 20079,
    CURLOPT_OPENSOCKETFUNCTION = 20163,
    CURLOPT_XFERINFOFUNCTION = 20219,
    CURLOPT_PREREQFUNCTION = 20312,
    CURLOPT_POSTFIELDSIZE_LARGE = 30120,
} bellwether_curl_option;

enum {
    CURLE_OK = 0,
    CURLE_OUT_OF_MEMORY = 27,
    CURLE_OPERATION_TIMEDOUT = 28,
    CURLE_SSL_CONNECT_ERROR = 35,
    CURLE_ABORTED_BY_CALLBACK = 42,
    CURLE_UNKNOWN_OPTION = 48,
    CURLE_PEER_FAILED_VERIFICATION = 60,
    CURLE_SSL_CACERT_BADFILE = 77,
    CURLINFO_RESPONSE_CODE = 0x200002,
    CURLPROTO_HTTP = 1,
    CURLPROTO_HTTPS = 2,
    CURL_GLOBAL_ALL = 3,
    CURL_ERROR_SIZE = 256,
    CURL_HTTP_VERSION_1_1 = 2,
    CURL_SOCKET_BAD = -1,
    CURL_PREREQFUNC_OK = 0,
    CURL_PREREQFUNC_ABORT = 1,
    CURLMSG_DONE = 1,
    CURLMOPT_MAXCONNECTS = 6,
};

typedef int (*bellwether_curl_global_init)(long flags);
typedef void *_Nullable (*bellwether_curl_easy_init)(void);
typedef void (*bellwether_curl_easy_reset)(void *_Nonnull handle);
typedef void (*bellwether_curl_easy_cleanup)(void *_Nonnull handle);
typedef int (*bellwether_curl_easy_perform)(void *_Nonnull handle);
typedef const char *_Nullable (*bellwether_curl_easy_strerror)(int code);
typedef void *_Nullable (*bellwether_curl_slist_append)(void *_Nullable list, const char *_Nonnull text);
typedef void (*bellwether_curl_slist_free_all)(void *_Nullable list);

// Takes size * count bytes; fewer taken is an error.
typedef size_t (*bellwether_curl_take)(
    char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);

// An address that a socket is to be opened for, as struct curl_sockaddr has it; `address` is `length` bytes long.
typedef struct {
    int family;
    int type;
    int protocol;
    unsigned int length;
    struct sockaddr address;
} bellwether_curl_address;

// Answers the socket, or CURL_SOCKET_BAD.
typedef int (*bellwether_curl_open_socket)(
    void *_Nullable context, int purpose, bellwether_curl_address *_Nullable address);

// Called before a request is sent over a connection, which may be one that was kept.
typedef int (*bellwether_curl_before_request)(
    void *_Nullable context, char *_Nullable peer, char *_Nullable local, int peer_port, int local_port);

// Called about once a second while a transfer runs, and more often while bytes move. Anything but 0 ends the transfer.
typedef int (*bellwether_curl_progress)(
    void *_Nullable context, int64_t down_total, int64_t down_now, int64_t up_total, int64_t up_now);

// curl/multi.h: many transfers on one thread.
typedef struct {
    int message;
    void *_Nullable handle;
    union {
        void *_Nullable pointer;
        int result;
    } data;
} bellwether_curl_message;

typedef void *_Nullable (*bellwether_curl_multi_init)(void);
typedef int (*bellwether_curl_multi_add_handle)(void *_Nonnull multi, void *_Nonnull handle);
typedef int (*bellwether_curl_multi_remove_handle)(void *_Nonnull multi, void *_Nonnull handle);
typedef int (*bellwether_curl_multi_perform)(void *_Nonnull multi, int *_Nonnull running);
typedef int (*bellwether_curl_multi_poll)(
    void *_Nonnull multi, void *_Nullable further, unsigned int count, int milliseconds, int *_Nullable ready);
typedef int (*bellwether_curl_multi_wakeup)(void *_Nonnull multi);
typedef bellwether_curl_message *_Nullable (*bellwether_curl_multi_info_read)(
    void *_Nonnull multi, int *_Nonnull left);
typedef int (*bellwether_curl_multi_cleanup)(void *_Nonnull multi);

// Swift calls no variadic functions. `function` is curl_easy_setopt, curl_easy_getinfo or curl_multi_setopt, as dlsym
// gave it.
typedef int (*bellwether_curl_variadic)(void *, int, ...);

static inline int bellwether_curl_set_long(
    void *_Nonnull function, void *_Nonnull handle, bellwether_curl_option option, long value) {
    return ((bellwether_curl_variadic)function)(handle, (int)option, value);
}
static inline int bellwether_curl_set_size(
    void *_Nonnull function, void *_Nonnull handle, bellwether_curl_option option, int64_t value) {
    return ((bellwether_curl_variadic)function)(handle, (int)option, value);
}
static inline int bellwether_curl_set_pointer(
    void *_Nonnull function, void *_Nonnull handle, bellwether_curl_option option, const void *_Nullable value) {
    return ((bellwether_curl_variadic)function)(handle, (int)option, value);
}
static inline int bellwether_curl_set_take(
    void *_Nonnull function, void *_Nonnull handle, bellwether_curl_option option,
    bellwether_curl_take _Nonnull value) {
    return ((bellwether_curl_variadic)function)(handle, (int)option, value);
}
static inline int bellwether_curl_set_open_socket(
    void *_Nonnull function, void *_Nonnull handle, bellwether_curl_open_socket _Nonnull value) {
    return ((bellwether_curl_variadic)function)(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline int bellwether_curl_set_before_request(
    void *_Nonnull function, void *_Nonnull handle, bellwether_curl_before_request _Nonnull value) {
    return ((bellwether_curl_variadic)function)(handle, CURLOPT_PREREQFUNCTION, value);
}
static inline int bellwether_curl_set_progress(
    void *_Nonnull function, void *_Nonnull handle, bellwether_curl_progress _Nonnull value) {
    return ((bellwether_curl_variadic)function)(handle, CURLOPT_XFERINFOFUNCTION, value);
}
static inline int bellwether_curl_multi_set_long(
    void *_Nonnull function, void *_Nonnull multi, int option, long value) {
    return ((bellwether_curl_variadic)function)(multi, option, value);
}
static inline int bellwether_curl_get_long(
    void *_Nonnull function, void *_Nonnull handle, int information, long *_Nonnull value) {
    return ((bellwether_curl_variadic)function)(handle, information, value);
}
