internal import Synchronization

/// The meters of all workers, one for each. The process has one instance of this class.
public final class Metrics: Sendable {
    private let meters = Mutex<[WorkerMeter]>([])

    public init() {}

    /// Makes a worker's meter. It is called on the worker's thread, so that each worker's counts are in separate
    /// memory.
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
