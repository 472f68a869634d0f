/// The reason why the benchmark stopped, as one sentence for its user.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
