internal import BellwetherAPI
internal import EventLoop

extension ServerStatistics {
    /// The samples of the event loops, for `/metrics`.
    var samples: [MetricSample] {
        [
            MetricSample("bellwether_connections", .gauge, "Open connections.", value: Double(openConnections)),
            MetricSample(
                "bellwether_connections_limit", .gauge, "Connections that may be open.", value: Double(connectionLimit)),
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
