/// One row of the table, which can be measured repeatedly.
protocol Benchmark: AnyObject {
    /// Unique in the table; other rows name it as their base.
    var name: String { get }
    /// The comparisons with other rows of the same round. Each comparison after the first has its own line.
    var comparisons: [Comparison] { get }
    /// The unit of a sample's `quantity`, for rows that are not requests.
    var unit: String? { get }
    /// The bound that `quantity` should keep.
    var limit: Limit? { get }

    /// Starts and fills the servers, and checks that their responses are the ones to measure.
    func prepare() throws
    /// Measures once; nil if the row has no sample for this round.
    func sample(round: Int) throws -> Sample?
}

extension Benchmark {
    var comparisons: [Comparison] { [] }
    var unit: String? { nil }
    var limit: Limit? { nil }
}

/// The result of one measurement; a row fills the members that apply.
struct Sample {
    /// Processor time of the server for one request, user and system, in microseconds.
    var cpu: Double?
    /// Requests answered in a second.
    var rate: Double?
    /// The 99th percentile of the time to an answer, in milliseconds. In a closed loop stalls count once.
    var p99: Double?
    /// Rows made durable in a second.
    var rows: Double?
    /// Anything else, in the row's own unit.
    var quantity: Double?
}

/// A row's figure divided by the same figure of another row in the same round.
struct Comparison {
    let base: String
    let figure: KeyPath<Sample, Double?>
    let limit: Limit?
}

/// The limit of a figure, and a stricter aim. Both are printed beside the measured figure; a missed limit does not fail
/// the run.
enum Limit {
    case atMost(Double, aim: Double? = nil)
    case atLeast(Double, aim: Double? = nil)

    /// The limit and the aim, each with its verdict: `≤ 3 ✓ (1.5 ✗)`.
    func verdict(on value: Double) -> String {
        let (sign, bound, aim, holds) = parts
        let aimed = aim.map { " (\($0.shortFigure) \(Self.mark(holds(value, $0))))" } ?? ""
        return "\(sign) \(bound.shortFigure) \(Self.mark(holds(value, bound)))\(aimed)"
    }

    private var parts: (sign: String, bound: Double, aim: Double?, holds: (Double, Double) -> Bool) {
        switch self {
        case .atMost(let bound, let aim): ("≤", bound, aim, { $0 <= $1 })
        case .atLeast(let bound, let aim): ("≥", bound, aim, { $0 >= $1 })
        }
    }

    private static func mark(_ holds: Bool) -> String { holds ? "✓" : "✗" }
}
