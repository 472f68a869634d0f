/// Which branch of each experiment of a set a client is in, in the set's order: what makes clients see different
/// messages.
public struct BranchVector: Sendable, Hashable {
    /// By the experiment's place in its set; 0: in none, else the branch's place in the recipe, from 1.
    private var numbers: [UInt16]

    /// In no branch of anything.
    public static let none = BranchVector(places: 0)

    init(places: Int) { numbers = Array(repeating: 0, count: places) }

    /// What lies beyond the vector counts as none.
    subscript(place: Int) -> Int {
        get { place < numbers.count ? Int(numbers[place]) : 0 }
        set { numbers[place] = UInt16(newValue) }
    }
}
