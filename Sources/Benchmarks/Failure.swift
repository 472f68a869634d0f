/// Why the benchmark stopped, as a sentence for the person who ran it.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
