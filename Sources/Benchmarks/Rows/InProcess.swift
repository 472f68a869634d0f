/// A row that is measured inside this program: the thread's processor time for one piece of work, converted to the
/// row's unit.
final class InProcess: Benchmark {
    let name: String
    let unit: String?
    let limit: Limit?
    private let setUp: () throws -> Work
    private var work: Work?

    /// One piece of work, and the conversion of its nanoseconds to the row's unit.
    struct Work {
        let run: () throws -> Int
        let quantity: (_ nanoseconds: Double) -> Double
    }

    init(_ name: String, unit: String, limit: Limit? = nil, setUp: @escaping () throws -> Work) {
        self.name = name
        self.unit = unit
        self.limit = limit
        self.setUp = setUp
    }

    func prepare() throws { work = try setUp() }

    func sample(round: Int) throws -> Sample? {
        guard let work else { return nil }
        return Sample(quantity: work.quantity(try ThreadClock.time(work.run)))
    }
}
