internal import BellwetherJSON

/// Counts of results, as text for people. The daemon withholds a small count, which is null.
struct CountText {
    /// A count; nil if it is withheld. A missing count is 0.
    static func number(_ value: JSONValue?) -> Int? {
        guard let value else { return 0 }
        return value.integer.map { Int($0) }
    }

    /// A text such as `1,204`, or `withheld`.
    func text(_ count: Int?) -> String { count.map { Figure.count($0) } ?? "withheld" }

    func text(_ value: JSONValue?) -> String { text(Self.number(value)) }

    /// `1 answer`, `1,204 answers`, or `withheld answers`.
    func text(_ count: Int?, _ noun: String) -> String {
        count.map { Figure.count($0, noun) } ?? "\(text(count)) \(noun)s"
    }

    /// A column of bars, each with its count and its share. A withheld count has neither bar nor share.
    func bars(_ rows: [(text: String, count: Int?)], of total: Int) -> [String] {
        let width = rows.map(\.text.count).max() ?? 0
        return rows.map { text, count in
            guard let count else {
                return "\(text.padded(to: width))  \(Figure.bar(0))  \(self.text(count).alignedRight(to: 7))"
            }
            let share = total > 0 ? Double(count) / Double(total) : 0
            return "\(text.padded(to: width))  \(Figure.bar(share))  \(Figure.count(count).alignedRight(to: 7))"
                + " \(Figure.percentage(share).alignedRight(to: 8))"
        }
    }
}
