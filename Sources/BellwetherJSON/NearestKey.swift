/// The known key that the author of an unknown one may have meant.
///
/// Two keys are near if one can be edited into the other with few added, removed, replaced or swapped characters. The
/// case of letters and the separators between words do not count. Two keys are also near if one has all words of the
/// other, or if they share a word of at least six letters: `cooldown_days` and `cooldown_seconds`.
enum NearestKey {
    /// Longer keys, and further keys, are not compared.
    private static let maximumLength = 64
    private static let maximumKeys = 512

    /// - Parameter isSlip: only a key that differs by one character is near.
    static func to(_ key: String, among known: some Sequence<String>, isSlip: Bool = false) -> String? {
        let own = Spelling(key)
        guard own.letters.count <= maximumLength, !own.letters.isEmpty else { return nil }
        var best: (key: String, cost: Int)?
        for other in known.prefix(maximumKeys) where other.utf8.first?.isWordCharacter == true {
            guard let cost = own.distance(to: Spelling(other), isSlip: isSlip) else { continue }
            if let best, best.cost < cost || best.cost == cost && best.key.precedes(other) { continue }
            best = (other, cost)
        }
        return best?.key
    }

    private struct Spelling {
        /// The key in lower case, without the separators between words.
        var letters: [UInt8] = []
        var words: Set<[UInt8]> = []

        init(_ key: String) {
            var word: [UInt8] = []
            for byte in key.utf8 {
                if !byte.isWordCharacter || byte.isCapital, !word.isEmpty {
                    words.insert(word)
                    word = []
                }
                guard byte.isWordCharacter else { continue }
                word.append(byte.isCapital ? byte | 0x20 : byte)
                letters.append(byte.isCapital ? byte | 0x20 : byte)
            }
            if !word.isEmpty { words.insert(word) }
        }

        /// The distance; nil if the keys are not near. Missing words cost more than any misspelling.
        func distance(to other: Spelling, isSlip: Bool) -> Int? {
            if isSlip { return letters.count > 3 ? edits(to: other.letters, atMost: 1) : nil }
            let limit = letters.count < 3 ? 0 : letters.count <= 5 ? 1 : letters.count <= 9 ? 2 : 3
            if let edits = edits(to: other.letters, atMost: limit) { return edits }
            let common = words.intersection(other.words)
            let longest = common.map(\.count).max() ?? 0
            let rest = words.union(other.words).count - common.count
            if common == words || common == other.words { return longest > 2 ? 10 + rest : nil }
            return longest > 5 ? 20 + rest : nil
        }

        /// The optimal string alignment distance; nil if it is above the limit.
        private func edits(to other: [UInt8], atMost limit: Int) -> Int? {
            guard other.count <= maximumLength, (letters.count - other.count).magnitude <= limit else { return nil }
            var before: [Int] = []
            var last = Array(0...other.count)
            for (row, letter) in letters.enumerated() {
                var next = [row + 1]
                for (column, candidate) in other.enumerated() {
                    var cost = min(
                        last[column] + (letter == candidate ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                    if row > 0, column > 0, letter == other[column - 1], letters[row - 1] == candidate {
                        cost = min(cost, before[column - 1] + 1)
                    }
                    next.append(cost)
                }
                (before, last) = (last, next)
            }
            return last[other.count] <= limit ? last[other.count] : nil
        }
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { (0x41...0x5A).contains(self) }
    fileprivate var isWordCharacter: Bool {
        isCapital || (0x61...0x7A).contains(self) || (0x30...0x39).contains(self) || self >= 0x80
    }
}
