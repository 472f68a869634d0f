// What a producer uses of librdkafka, whose soname has been librdkafka.so.1 since 2013. It is loaded when the first
// producer is made, so there is nothing to link, and no header of librdkafka is needed to build. Handles are opaque.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// From rdkafka.h; numbers are never given again.
enum {
    RD_KAFKA_PRODUCER = 0,

    RD_KAFKA_CONF_UNKNOWN = -2,
    RD_KAFKA_CONF_OK = 0,

    RD_KAFKA_EVENT_DR = 0x1,
    RD_KAFKA_EVENT_LOG = 0x4,
    RD_KAFKA_EVENT_ERROR = 0x8,

    RD_KAFKA_MSG_F_COPY = 0x2,
    RD_KAFKA_PURGE_F_QUEUE = 0x1,
    RD_KAFKA_PURGE_F_INFLIGHT = 0x2,

    RD_KAFKA_RESP_ERR__TRANSPORT = -195,
    RD_KAFKA_RESP_ERR__RESOLVE = -193,
    RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION = -190,
    RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC = -188,
    RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN = -187,
    RD_KAFKA_RESP_ERR__QUEUE_FULL = -184,
    RD_KAFKA_RESP_ERR__SSL = -181,
    RD_KAFKA_RESP_ERR__AUTHENTICATION = -169,
    RD_KAFKA_RESP_ERR__PURGE_QUEUE = -152,
    RD_KAFKA_RESP_ERR__PURGE_INFLIGHT = -151,
    RD_KAFKA_RESP_ERR__FATAL = -150,
    RD_KAFKA_RESP_ERR_NO_ERROR = 0,
    RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART = 3,
    RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE = 10,
    RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION = 17,
    RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED = 29,
    RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED = 31,
    RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED = 58,
};

// rd_kafka_message_t: a delivery report. `mark` is the pointer that was given with the record.
typedef struct {
    int error;
    void *_Nullable topic;
    int32_t partition;
    void *_Nullable value;
    size_t value_size;
    void *_Nullable key;
    size_t key_size;
    int64_t offset;
    void *_Nullable mark;
} bellwether_kafka_report;

// rd_kafka_vu_t: one part of a record. rd_kafka_producev is variadic, which Swift cannot call; rd_kafka_produceva takes
// an array of these instead.
typedef struct {
    int kind;
    union {
        const char *_Nullable text;
        int number;
        struct {
            const void *_Nullable bytes;
            size_t size;
        } memory;
        void *_Nullable pointer;
        char padding[64];
    } value;
} bellwether_kafka_part;

_Static_assert(sizeof(bellwether_kafka_report) == 72, "the layout of rd_kafka_message_t");
_Static_assert(sizeof(bellwether_kafka_part) == 72, "the layout of rd_kafka_vu_t");

static inline bellwether_kafka_part bellwether_kafka_part_topic(const char *_Nonnull name) {
    return (bellwether_kafka_part){.kind = 1, .value.text = name};
}
static inline bellwether_kafka_part bellwether_kafka_part_value(const void *_Nonnull bytes, size_t size) {
    return (bellwether_kafka_part){.kind = 4, .value.memory = {bytes, size}};
}
static inline bellwether_kafka_part bellwether_kafka_part_key(const void *_Nullable bytes, size_t size) {
    return (bellwether_kafka_part){.kind = 5, .value.memory = {bytes, size}};
}
static inline bellwether_kafka_part bellwether_kafka_part_mark(void *_Nullable mark) {
    return (bellwether_kafka_part){.kind = 6, .value.pointer = mark};
}
static inline bellwether_kafka_part bellwether_kafka_part_flags(int flags) {
    return (bellwether_kafka_part){.kind = 7, .value.number = flags};
}
// The headers as an rd_kafka_headers_t, which librdkafka owns once it has taken the record. The kind for one header, 9,
// is of no use: librdkafka frees such headers twice if it knows that the topic does not exist (its issue 4627).
static inline bellwether_kafka_part bellwether_kafka_part_headers(void *_Nonnull headers) {
    return (bellwether_kafka_part){.kind = 10, .value.pointer = headers};
}

// Functions. `conf` is an rd_kafka_conf_t, `handle` an rd_kafka_t, `queue` an rd_kafka_queue_t, `event` an
// rd_kafka_event_t, `error` an rd_kafka_error_t, `headers` an rd_kafka_headers_t.
typedef const char *_Nonnull (*bellwether_kafka_version_str)(void);
typedef const char *_Nonnull (*bellwether_kafka_err2str)(int code);
typedef const char *_Nonnull (*bellwether_kafka_err2name)(int code);

typedef void *_Nullable (*bellwether_kafka_conf_new)(void);
typedef void (*bellwether_kafka_conf_destroy)(void *_Nonnull conf);
typedef int (*bellwether_kafka_conf_set)(
    void *_Nonnull conf, const char *_Nonnull name, const char *_Nonnull value, char *_Nonnull message, size_t size);
typedef void (*bellwether_kafka_conf_set_events)(void *_Nonnull conf, int events);

typedef void *_Nullable (*bellwether_kafka_new)(
    int type, void *_Nonnull conf, char *_Nonnull message, size_t size);
typedef void (*bellwether_kafka_destroy)(void *_Nonnull handle);
typedef int (*bellwether_kafka_set_log_queue)(void *_Nonnull handle, void *_Nullable queue);
typedef void *_Nonnull (*bellwether_kafka_queue_get_main)(void *_Nonnull handle);
typedef void (*bellwether_kafka_queue_destroy)(void *_Nonnull queue);
typedef void *_Nullable (*bellwether_kafka_queue_poll)(void *_Nonnull queue, int milliseconds);

typedef void *_Nullable (*bellwether_kafka_headers_new)(size_t count);
typedef int (*bellwether_kafka_header_add)(
    void *_Nonnull headers, const char *_Nonnull name, ssize_t name_size, const void *_Nonnull value,
    ssize_t value_size);
typedef void (*bellwether_kafka_headers_destroy)(void *_Nonnull headers);
typedef void *_Nullable (*bellwether_kafka_produceva)(
    void *_Nonnull handle, const bellwether_kafka_part *_Nonnull parts, size_t count);
typedef int (*bellwether_kafka_error_code)(const void *_Nonnull error);
typedef const char *_Nonnull (*bellwether_kafka_error_string)(const void *_Nonnull error);
typedef void (*bellwether_kafka_error_destroy)(void *_Nonnull error);
typedef int (*bellwether_kafka_fatal_error)(void *_Nonnull handle, char *_Nonnull message, size_t size);
typedef int (*bellwether_kafka_purge)(void *_Nonnull handle, int flags);

typedef int (*bellwether_kafka_event_type)(const void *_Nonnull event);
typedef size_t (*bellwether_kafka_event_message_array)(
    void *_Nonnull event, const bellwether_kafka_report *_Nullable *_Nonnull reports, size_t size);
typedef int (*bellwether_kafka_event_log)(
    void *_Nonnull event, const char *_Nullable *_Nonnull facility, const char *_Nullable *_Nonnull text,
    int *_Nonnull level);
typedef int (*bellwether_kafka_event_error)(void *_Nonnull event);
typedef const char *_Nullable (*bellwether_kafka_event_error_string)(void *_Nonnull event);
typedef void (*bellwether_kafka_event_destroy)(void *_Nonnull event);

typedef const char *_Nonnull (*bellwether_kafka_topic_name)(const void *_Nonnull topic);
