/// The branch of each experiment of a set that a client is in, in the set's order. It decides which variants the client
/// sees.
public struct BranchVector: Sendable, Hashable {
    /// By the experiment's place in its set; 0: in none, else the branch's place in the recipe, from 1.
    private var numbers: [UInt16]

    /// In no branch of anything.
    public static let none = BranchVector(places: 0)

    init(places: Int) { numbers = Array(repeating: 0, count: places) }

    /// Positions beyond the vector count as none.
    subscript(place: Int) -> Int {
        get { place < numbers.count ? Int(numbers[place]) : 0 }
        set { numbers[place] = UInt16(newValue) }
    }
}
