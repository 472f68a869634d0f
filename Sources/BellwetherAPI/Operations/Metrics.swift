internal import Synchronization

/// The meters of all workers. One for the process.
public final class Metrics: Sendable {
    private let meters = Mutex<[WorkerMeter]>([])

    public init() {}

    /// For a worker, on its thread, so that its counts stand apart from those of others.
    func makeMeter(pings: PingIntake) -> WorkerMeter {
        let meter = WorkerMeter(pings: pings)
        meters.withLock { $0.append(meter) }
        return meter
    }

    var reading: MeterReading {
        var reading = MeterReading()
        for meter in meters.withLock({ $0 }) { meter.add(to: &reading) }
        return reading
    }
}
