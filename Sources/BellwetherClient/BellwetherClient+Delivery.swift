internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The queue.
extension BellwetherClient {
    static let runPrefix = "run-"

    /// Sends what waits, and returns when it is delivered or when the network has failed. Apps need not call it: the
    /// client sends by itself. It waits for the network.
    public func flush() async {
        if let delivery { await delivery.value }
        queue.write(to: &storage)
        guard isAllowed, !queue.waiting(in: &storage).isEmpty else { return }
        // A delivery that another caller has begun goes on until the queue is empty.
        if let delivery { return await delivery.value }
        let task = Task {
            await self.deliver()
            self.delivery = nil
        }
        delivery = task
        await task.value
    }

    /// The number of entries that wait, and of those that were dropped or refused.
    public var status: ClientStatus {
        ClientStatus(
            waiting: queue.waiting(in: &storage).count, dropped: queue.dropped, refused: refused,
            lastRefusal: lastRefusal)
    }

    /// Sends the entry and all before it. Returns the daemon's response; nil if the entry waits, or if another process
    /// has sent it.
    func deliver(_ entry: QueueEntry) async -> TransportResponse? {
        awaited.insert(entry.id)
        enqueue(entry)
        await flush()
        awaited.remove(entry.id)
        return responses.removeValue(forKey: entry.id)
    }

    func isWaiting(_ entry: QueueEntry) -> Bool { queue.waiting(in: &storage).contains { $0.id == entry.id } }

    private func deliver() async {
        while isAllowed, let batch = QueueBatch(queue.waiting(in: &storage)) {
            guard let request = batch.request(run: { self.remoteRun($0) }) else {
                // The run was never begun, because the daemon has refused its start.
                queue.delivered(batch.entries, in: &storage)
                continue
            }
            let response = try? await transport.send(request)
            retryAfter = response?.retryAfter
            guard let response, response.isFinal else {
                failures += 1
                return
            }
            failures = 0
            guard await redate(batch, response) else { return }
            note(response, to: batch)
            queue.delivered(batch.entries, in: &storage)
        }
    }

    /// Sends events again without their times if the daemon has refused them because this device's clock is ahead.
    /// Returns false if there was no response.
    private func redate(_ batch: QueueBatch, _ response: TransportResponse) async -> Bool {
        guard batch.isOfEvents, let json = try? JSONValue(parsing: response.body) else { return true }
        let early = (json["rejected"].array ?? []).compactMap { rejected -> Int? in
            guard rejected["code"] == "future", let index = rejected["index"].integer.map({ Int($0) }) else {
                return nil
            }
            return batch.entries.indices.contains(index) ? index : nil
        }
        guard !early.isEmpty else { return true }
        let entries = early.map { index in
            var entry = batch.entries[index]
            entry.body["at"] = nil
            return entry
        }
        guard let request = QueueBatch(entries)?.request(run: { _ in nil }),
            let response = try? await transport.send(request)
        else { return false }
        return response.isFinal
    }

    private func note(_ response: TransportResponse, to batch: QueueBatch) {
        let json = try? JSONValue(parsing: response.body)
        for entry in batch.entries where awaited.contains(entry.id) { responses[entry.id] = response }
        if batch.isOfEvents, let rejected = json?["rejected"].array {
            let lost = rejected.filter { $0["code"] != "future" }
            refused += lost.count
            lastRefusal = lost.last?["code"].string ?? lastRefusal
        } else if !response.isSuccess {
            refused += batch.entries.count
            lastRefusal = json?.problemCode ?? "\(response.status)"
        }
        if let entry = batch.entries.first, entry.startsRun, let run = entry.run, let id = json?["run_id"].string {
            try? storage.replace(Self.runPrefix + run, with: Array(id.utf8), isDurable: true)
        }
    }

    /// The daemon's id of a run.
    func remoteRun(_ run: String) -> String? {
        (try? storage.read(Self.runPrefix + run)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Sends later, unless this is planned already.
    func schedule(after seconds: Double) {
        guard timer == nil else { return }
        timer = Task { [weak self] in
            try? await Task.sleep(for: .seconds(seconds))
            guard !Task.isCancelled else { return }
            await self?.sendPlanned()
        }
    }

    private func sendPlanned() async {
        timer = nil
        await flush()
        guard isAllowed, let seconds = configuration.flushSeconds, !queue.waiting(in: &storage).isEmpty else { return }
        schedule(
            after: Self.pause(
                failures: failures, seconds, retryAfter: retryAfter, jitter: Double.random(in: 0.5...1)))
    }

    /// The seconds until the next attempt: doubled after each failure, up to five minutes, times the jitter, and never
    /// less than the daemon's `Retry-After`.
    static func pause(failures: Int, _ flushSeconds: Double, retryAfter: Int64?, jitter: Double) -> Double {
        max(Double(retryAfter ?? 0), min(300, max(flushSeconds, 1) * Double(1 << min(failures, 9))) * jitter)
    }
}

/// The entries that a client has to send, and those that were dropped or refused.
public struct ClientStatus: Sendable, Hashable {
    /// The number of events and answers that wait.
    public let waiting: Int
    /// The number of events that were dropped since the start because the queue was full.
    public let dropped: Int
    /// The number of events and answers that the daemon has refused since the start.
    public let refused: Int
    /// The code of the last refusal.
    public let lastRefusal: String?

    public init(waiting: Int, dropped: Int = 0, refused: Int = 0, lastRefusal: String? = nil) {
        (self.waiting, self.dropped, self.refused, self.lastRefusal) = (waiting, dropped, refused, lastRefusal)
    }
}

extension JSONValue {
    /// The code of a problem document.
    var problemCode: String? { self["errors"].array?.first?["code"].string ?? self["reason"].string }
}
