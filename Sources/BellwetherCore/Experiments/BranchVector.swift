/// The branch of each experiment of a set that a client is in, in the set's order. It decides which variants the client
/// sees.
public struct BranchVector: Sendable, Hashable {
    /// By the experiment's rank in its set; 0: in none, else the branch's number in the recipe, from 1.
    private var numbers: [UInt16]

    /// In no branch of anything.
    public static let none = BranchVector(count: 0)

    init(count: Int) { numbers = Array(repeating: 0, count: count) }

    /// Positions beyond the vector count as none.
    subscript(rank: Int) -> Int {
        get { rank < numbers.count ? Int(numbers[rank]) : 0 }
        set { numbers[rank] = UInt16(newValue) }
    }
}
