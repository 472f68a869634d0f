internal import BellwetherAPI
internal import EventLoop
internal import SQLiteStore

extension ServerStatistics {
    /// The event loops' numbers, for `/metrics`.
    var samples: [MetricSample] {
        [
            MetricSample("bellwether_connections", .gauge, "Open connections.", value: Double(openConnections)),
            MetricSample(
                "bellwether_connections_accepted_total", .counter, "Connections accepted.",
                value: Double(acceptedConnections)),
            MetricSample(
                "bellwether_connections_refused_total", .counter, "Connections over the limit.",
                value: Double(refusedConnections)),
            MetricSample(
                "bellwether_exchanges_parked", .gauge, "Requests that wait for the store.",
                value: Double(parkedExchanges)),
            MetricSample(
                "bellwether_exchanges_unanswered_total", .counter, "Requests dropped by a bug, answered 500.",
                value: Double(unansweredExchanges)),
            MetricSample("bellwether_received_bytes_total", .counter, "Bytes received.", value: Double(bytesReceived)),
            MetricSample("bellwether_sent_bytes_total", .counter, "Bytes sent.", value: Double(bytesSent)),
        ]
            + rejected.sorted { $0.key < $1.key }.map {
                MetricSample(
                    "bellwether_rejected_total", .counter, "Requests refused by the codec, by reason.",
                    labels: ["reason": $0.key], value: Double($0.value))
            }
    }
}

extension SQLiteStoreStatistics {
    /// The store's numbers, for `/metrics`.
    var samples: [MetricSample] {
        [
            MetricSample("bellwether_store_commits_total", .counter, "Transactions committed.", value: Double(commits)),
            MetricSample("bellwether_store_failures_total", .counter, "Transactions failed.", value: Double(failures)),
            MetricSample(
                "bellwether_store_submissions_total", .counter, "Writes committed.", value: Double(submissions)),
            MetricSample(
                "bellwether_store_records_total", .counter, "Telemetry records committed.",
                value: Double(telemetryRecords)),
            MetricSample(
                "bellwether_store_refused_total", .counter, "Writes refused for a full queue.", value: Double(refusals)),
            MetricSample("bellwether_store_waiting", .gauge, "Writes that wait.", value: Double(waiting)),
            MetricSample("bellwether_clients_cached", .gauge, "Clients held in memory.", value: Double(clients)),
        ]
    }
}
