internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import EventLoop
internal import Surveys

extension Persistence {
    /// The samples of the persistence, for `/metrics`.
    var samples: [MetricSample] {
        let (statistics, timings) = (statistics, store.timings)
        return statistics.counters + statistics.distributions(timings) + statistics.depths + [
            MetricSample(
                "bellwether_clients_cached", .gauge, "Clients held in memory.", value: Double(statistics.clients))
        ]
    }
}

extension ChangeFeed {
    /// The samples about the daemon's place among the daemons that share its store.
    func samples(of node: String) -> [MetricSample] {
        [
            MetricSample(
                "bellwether_node_info", .gauge, "1; the node's name is the label.", labels: ["node": node], value: 1),
            MetricSample(
                "bellwether_node_current", .gauge, "Whether the daemon knows what others had changed a second ago.",
                value: isCurrent ? 1 : 0),
            MetricSample(
                "bellwether_node_clock_difference_seconds", .gauge,
                "By how much the store's clock is ahead of the machine's.", value: clockDifference.seconds),
        ] + streams.samples
    }
}

extension StreamHub {
    /// The samples about streams.
    fileprivate var samples: [MetricSample] {
        let (open, events, refused) = statistics
        return [
            MetricSample("bellwether_streams", .gauge, "Streams that are open.", value: Double(open)),
            MetricSample(
                "bellwether_stream_events_total", .counter, "Events that streams sent.", value: Double(events)),
            MetricSample(
                "bellwether_streams_refused_total", .counter, "Streams that were refused because there were too many.",
                value: Double(refused)),
        ]
    }
}

extension ScheduledBackups {
    /// The samples about backups. Those of the newest backup are missing until there is a backup.
    var samples: [MetricSample] {
        let status = status
        let known: [(String, String, Double?)] = [
            ("age_seconds", "The age of the newest backup.", ageSeconds),
            ("size_bytes", "The size of the last backup that this process made.", status.bytes.map(Double.init)),
            ("duration_seconds", "The time to copy, check and restore it.", status.seconds),
            ("interval_seconds", "The age at which the next one is due.", intervalSeconds.map(Double.init)),
            ("failing", "1 if the last attempt failed.", intervalSeconds.map { _ in status.failure == nil ? 0 : 1 }),
        ]
        return known.compactMap { name, help, value in
            value.map { MetricSample("bellwether_backup_\(name)", .gauge, help, value: $0) }
        }
    }
}

extension PersistenceStatistics {
    fileprivate var counters: [MetricSample] {
        [
            MetricSample("bellwether_store_commits_total", .counter, "Transactions committed.", value: Double(commits)),
            MetricSample("bellwether_store_failures_total", .counter, "Transactions failed.", value: Double(failures)),
            MetricSample(
                "bellwether_store_faults_total", .counter, "Writes refused because the program contradicts itself.",
                value: Double(faults)),
            MetricSample(
                "bellwether_store_corrections_total", .counter, "Counts of places and references that were wrong.",
                value: Double(corrections)),
            MetricSample(
                "bellwether_store_submissions_total", .counter, "Writes committed.", value: Double(submissions)),
            MetricSample(
                "bellwether_store_records_total", .counter, "Telemetry records committed.",
                value: Double(telemetryRecords)),
            MetricSample(
                "bellwether_store_refused_total", .counter, "Writes refused for a full queue.", value: Double(refusals)),
        ]
    }

    fileprivate func distributions(_ timings: StoreTimings) -> [MetricSample] {
        [
            MetricSample("bellwether_store_batch_size", "Writes that one transaction committed.", batchSizes),
            MetricSample(
                "bellwether_store_commit_duration_seconds", "COMMIT alone: until the disk has it.",
                timings.commitSeconds),
            MetricSample(
                "bellwether_store_batch_duration_seconds", "A transaction from BEGIN to the end of COMMIT.",
                timings.batchSeconds),
        ]
    }

    fileprivate var depths: [MetricSample] {
        queues.flatMap { queue in
            [
                MetricSample(
                    "bellwether_store_queue", .gauge, "What waits for the store, by queue.",
                    labels: ["queue": queue.name], value: Double(queue.waiting)),
                MetricSample(
                    "bellwether_store_queue_limit", .gauge, "How much of it may wait.", labels: ["queue": queue.name],
                    value: Double(queue.bound)),
            ]
        }
    }
}

extension OutboxStatistics {
    /// The samples for `/metrics`.
    var samples: [MetricSample] {
        [
            MetricSample(
                "bellwether_webhooks_sent_total", .counter, "Webhooks that their receivers took.", value: Double(sent)),
            MetricSample(
                "bellwether_webhooks_failures_total", .counter, "Attempts to send a webhook that failed.",
                value: Double(failed)),
            MetricSample(
                "bellwether_webhooks_dead_total", .counter, "Webhooks that were given up.", value: Double(dead)),
            MetricSample(
                "bellwether_webhooks_waiting", .gauge, "Webhooks that wait to be sent, or are under way.",
                value: Double(waiting)),
        ]
    }
}

extension HookStatistics {
    /// The samples for `/metrics`.
    var samples: [MetricSample] {
        FlowHook.Occasion.allCases.flatMap { occasion in
            let labels = ["hook": occasion.rawValue]
            return [
                MetricSample(
                    "bellwether_hooks_answered_total", .counter, "Calls of flows' hooks that were answered.",
                    labels: labels, value: Double(counts[occasion]?.answered ?? 0)),
                MetricSample(
                    "bellwether_hooks_failed_total", .counter, "Calls of flows' hooks that failed.", labels: labels,
                    value: Double(counts[occasion]?.failed ?? 0)),
            ]
        } + [
            MetricSample(
                "bellwether_hooks_waiting", .gauge, "Requests that wait for a hook.", value: Double(waiting))
        ]
    }
}

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

extension Sink {
    /// The samples for `/metrics`. Apps are summed up: an installation may have thousands.
    var samples: [MetricSample] {
        let (status, name) = (status, settings.name.text)
        func sum(_ number: (SinkStatus.App) -> Int) -> Double {
            Double(status.apps.values.reduce(0) { $0 + number($1) })
        }
        let all: [(String, MetricSample.Kind, String, Double)] = [
            ("failing", .gauge, "1 if the last attempt of a sink failed.", status.fault == nil ? 0 : 1),
            (
                "last_success_timestamp_seconds", .gauge, "When a sink had written everything; 0 before it.",
                Double(status.succeededAt?.milliseconds ?? 0) / 1000
            ),
            ("lag_records", .gauge, "Records that a sink has not written yet, up to 100,000 of an app.", sum(\.lag)),
            ("rows_total", .counter, "Rows that a sink has written.", sum(\.rows)),
            ("files_total", .counter, "Files that a sink has written.", sum(\.files)),
        ]
        return all.map { MetricSample("bellwether_sink_\($0.0)", $0.1, $0.2, labels: ["sink": name], value: $0.3) }
    }
}
