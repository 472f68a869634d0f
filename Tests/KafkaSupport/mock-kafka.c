// Simulated Kafka brokers for tests: librdkafka's mock cluster, in a process of its own.
//
// Prints the brokers' addresses as one line. Then each line of standard input is a command, answered by `ok` or `no`:
//   topic NAME PARTITIONS      makes a topic; a topic that is only written to has four partitions
//   topic-error NAME CODE      an error in the metadata of a topic; 0: none
//   down BROKER, up BROKER     closes a broker's port and connections; opens them again
//   rtt BROKER MILLISECONDS    delays a broker's responses
//   fail CODE COUNT            the next requests to write fail with Kafka's error code
//   fail-request KEY CODE COUNT  the next requests of this kind fail
// The brokers keep 5 MB of each partition. They know no duplicates: a batch that was sent twice is there twice.
//
// cc -o mock-kafka mock-kafka.c -lrdkafka    (usage: mock-kafka BROKERS)
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(rd_kafka_mock_cluster_t *cluster, int key, int code, int count) {
    rd_kafka_resp_err_t errors[64];
    if (count < 1 || count > 64) return -1;
    for (int i = 0; i < count; i++) errors[i] = (rd_kafka_resp_err_t)code;
    rd_kafka_mock_push_request_errors_array(cluster, (int16_t)key, (size_t)count, errors);
    return 0;
}

static int run(rd_kafka_mock_cluster_t *cluster, const char *line) {
    char name[256];
    int first, second, third;
    if (sscanf(line, "topic %255s %d", name, &first) == 2)
        return rd_kafka_mock_topic_create(cluster, name, first, 1);
    if (sscanf(line, "topic-error %255s %d", name, &first) == 2) {
        rd_kafka_mock_topic_set_error(cluster, name, (rd_kafka_resp_err_t)first);
        return 0;
    }
    if (sscanf(line, "down %d", &first) == 1) return rd_kafka_mock_broker_set_down(cluster, first);
    if (sscanf(line, "up %d", &first) == 1) return rd_kafka_mock_broker_set_up(cluster, first);
    if (sscanf(line, "rtt %d %d", &first, &second) == 2) return rd_kafka_mock_broker_set_rtt(cluster, first, second);
    if (sscanf(line, "fail %d %d", &first, &second) == 2) return fail(cluster, 0, first, second);
    if (sscanf(line, "fail-request %d %d %d", &first, &second, &third) == 3)
        return fail(cluster, first, second, third);
    return -1;
}

int main(int count, char **arguments) {
    char message[512];
    rd_kafka_conf_t *settings = rd_kafka_conf_new();
    rd_kafka_t *handle = rd_kafka_new(RD_KAFKA_PRODUCER, settings, message, sizeof message);
    if (!handle) {
        fprintf(stderr, "mock-kafka: %s\n", message);
        return 1;
    }
    rd_kafka_mock_cluster_t *cluster = rd_kafka_mock_cluster_new(handle, count > 1 ? atoi(arguments[1]) : 3);
    if (!cluster) {
        fprintf(stderr, "mock-kafka: no cluster\n");
        return 1;
    }
    printf("%s\n", rd_kafka_mock_cluster_bootstraps(cluster));
    fflush(stdout);
    char line[512];
    while (fgets(line, sizeof line, stdin)) {
        printf("%s\n", run(cluster, line) == 0 ? "ok" : "no");
        fflush(stdout);
    }
    rd_kafka_mock_cluster_destroy(cluster);
    rd_kafka_destroy(handle);
    return 0;
}
