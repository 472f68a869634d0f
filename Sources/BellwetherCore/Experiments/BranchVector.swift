/// The branch of a client in each experiment of a set, in the set's order. It decides which variants the client sees.
public struct BranchVector: Sendable, Hashable {
    /// The branch numbers by the experiment's rank in its set: 0 if the client is in no branch, else the branch's
    /// number in the recipe, counted from 1.
    private var numbers: [UInt16]

    /// The vector of a client that is in no branch.
    public static let none = BranchVector(count: 0)

    init(count: Int) { numbers = Array(repeating: 0, count: count) }

    /// The number at a rank; 0 beyond the end of the vector.
    subscript(rank: Int) -> Int {
        get { rank < numbers.count ? Int(numbers[rank]) : 0 }
        set { numbers[rank] = UInt16(newValue) }
    }
}
