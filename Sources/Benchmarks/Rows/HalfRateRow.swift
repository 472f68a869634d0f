/// Polls at half rate beside other load, in the turns of ``HalfRateIntervals``.
final class HalfRateRow: Benchmark {
    let name: String
    let comparisons: [Comparison]
    /// The load that the daemon has beside the polls; made for each turn.
    let company: (_ port: Int) throws -> HalfRateCompany
    private let turns: HalfRateIntervals
    private var note = ""

    init(
        _ name: String, _ turns: HalfRateIntervals, comparedWith comparisons: [Comparison] = [],
        company: @escaping (_ port: Int) throws -> HalfRateCompany
    ) {
        self.name = name
        self.turns = turns
        self.comparisons = comparisons
        self.company = company
    }

    var unit: String? { note }

    func prepare() throws { turns.join(self) }

    func sample(round: Int) throws -> Sample? {
        guard let outcome = try turns.measure(round: round)[name] else { return nil }
        note = outcome.note
        return outcome.sample
    }
}

/// The other load on the daemon.
enum HalfRateCompany {
    case nobody
    case streams([Stream])
    case hostile(any AdverseLoad)
}

/// The outcome of the polls of some turns.
struct HalfRateOutcome {
    /// The p99 of each turn.
    var p99s: [Double] = []
    /// The latencies of all turns together.
    var latencies = Histogram()
    /// The number of failed requests of all streams.
    var failed = 0
    /// Processor time of the daemon in microseconds, if there was no other load.
    var used: Double?
    var seconds = 0.0
    /// The measurements during the last adverse load.
    var presence: LoadPresence?

    /// The sample of these turns. Its p99 is the median of the turns: other load on a shared machine affects some of
    /// them.
    var sample: Sample {
        Sample(
            cpu: used.map { $0 / Double(latencies.count) }, rate: Double(latencies.count) / seconds,
            p99: p99s.sorted().median, quantity: Double(failed))
    }

    var note: String {
        let all = "failed, \(latencies.milliseconds(at: 0.99).figure(places: 2)) ms over all turns"
        return presence.map { "\(all), \($0)" } ?? all
    }
}
