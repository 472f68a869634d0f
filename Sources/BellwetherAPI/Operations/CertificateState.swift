internal import Synchronization

/// The state of the daemon's certificates, for the heartbeat and the metrics (docs/reference/tls.md#renewal). Any
/// thread may set it.
public final class CertificateState: Sendable {
    public struct Value: Sendable, Hashable {
        /// The end of the first certificate that expires, in seconds since 1970.
        public var notAfter: Int64
        /// Why the last change of the files could not be applied, one sentence each; empty if it was.
        public var faults: [String] = []

        public init(notAfter: Int64) { self.notAfter = notAfter }

        static let warningDays: Int64 = 7

        /// The whole days until the end; negative after it.
        func daysLeft(at now: Int64) -> Int64 { Int64((Double(notAfter - now) / 86_400).rounded(.down)) }

        /// The faults, and the near end of a certificate, one sentence each.
        func reasons(at now: Int64) -> [String] {
            let days = daysLeft(at: now)
            guard days < Self.warningDays else { return faults }
            let end = days < 0 ? "a certificate has expired" : "a certificate expires in less than \(days + 1) days"
            return faults + [end]
        }
    }

    private let current: Mutex<Value>

    public init(_ value: Value) { current = Mutex(value) }

    public var value: Value {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    public var samples: [MetricSample] {
        let value = value
        return [
            MetricSample(
                "bellwether_tls_certificate_expiry_timestamp_seconds", .gauge,
                "When the first of the certificates expires, since 1970.", value: Double(value.notAfter)),
            MetricSample(
                "bellwether_tls_certificate_reload_failed", .gauge,
                "1 if the last change of the certificates' files could not be applied.",
                value: value.faults.isEmpty ? 0 : 1),
        ]
    }
}
