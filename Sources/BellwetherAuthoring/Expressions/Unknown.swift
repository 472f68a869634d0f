import BellwetherJSON
internal import JEXL

/// A part of an expression whose value is known only at evaluation, and the values that the expression compares it
/// with.
///
/// Two parts with the same text are one unknown, because they have the same value within one evaluation.
struct Unknown {
    enum Kind: Equatable {
        /// An attribute or any other part: a value of these types, or an error.
        case value(ValueTypes)
        /// The count of an event query, which is never negative.
        case count
        /// `versionCompare` of one subject with several versions. Each version has its own identifier.
        case versions
    }

    let kind: Kind
    /// The identifier of the unknown; for `versions`, the stem of the identifiers.
    let name: String
    /// The literals that the unknown is compared with by `==` or by order, or that are in a list in which it is
    /// searched.
    var literals: [JSONValue] = []
    /// The literals that are searched in the unknown.
    var members: [JSONValue] = []
    /// Whether strings are compared by order.
    var ordersText = false
    /// Whether integers and floats are distinguished.
    var isStrict = false
    var versions: [String] = []

    /// The values of the identifiers in one case. A missing value is an error when it is reached.
    typealias Case = [String: JSONValue]

    /// One case for each result that the expression can distinguish; nil if there are too many.
    ///
    /// All values between two literals, or beyond the last, give the same results, so one value represents them.
    func cases() -> [Case]? {
        switch kind {
        case .value(let types):
            guard let values = values(of: types) else { return nil }
            return [[:]] + values.map { [name: $0] }
        case .count:
            let values = numbers()?.filter { $0.double.map { $0 >= 0 } ?? false }
            return values.map { [[:], [name: .null]] + $0.map { [name: $0] } }
        case .versions: return versionCases()
        }
    }

    static let maximumMembers = 5
    static let maximumCases = 256

    private func values(of types: ValueTypes) -> [JSONValue]? {
        guard members.count <= Self.maximumMembers else { return nil }
        var values: [JSONValue] = []
        if types.contains(.null) { values.append(.null) }
        if types.contains(.boolean) { values += [false, true] }
        if types.contains(.number) {
            guard let numbers = numbers() else { return nil }
            values += numbers
        }
        if types.contains(.string) {
            guard let texts = texts() else { return nil }
            values += texts.map(JSONValue.string)
        }
        if types.contains(.array) {
            values += literals.filter { $0.array != nil } + [.array([])]
            values += Self.subsets(of: members).map { .array($0 + [.string(Self.mark)]) }
        }
        if types.contains(.object) {
            values += literals.filter { $0.object != nil } + [.object([:])]
            values += Self.subsets(of: members.filter { $0.string != nil }).map { keys in
                .object(JSONObject((keys.compactMap(\.string) + [Self.mark]).map { (key: $0, value: .null) }))
            }
        }
        return values.count <= Self.maximumCases ? values : nil
    }

    /// A part of generated values that makes them differ from all literals.
    private static let mark = "\u{1}"

    private static func subsets<Element>(of elements: [Element]) -> [[Element]] {
        elements.reduce([[]]) { subsets, element in subsets + subsets.map { $0 + [element] } }
    }

    /// Two numbers are equal if they differ by less than a millionth.
    private static let tolerance = 0.000001

    /// A case for each literal, for the numbers next to it, and for each gap.
    private func numbers() -> [JSONValue]? {
        let points = Set(literals.compactMap(\.double) + [0]).sorted()
        for (one, next) in zip(points, points.dropFirst()) where next - one < Self.tolerance * 10 { return nil }
        var numbers: [Double] = [-.greatestFiniteMagnitude, .greatestFiniteMagnitude]
        for point in points {
            numbers += [point, point - Self.tolerance / 2, point + Self.tolerance / 2]
            if point.ulp > Self.tolerance / 4 { numbers += [point.nextUp, point.nextDown].filter(\.isFinite) }
        }
        numbers += zip(points, points.dropFirst()).map { $0 / 2 + $1 / 2 }
        let floats = Set(numbers).map(JSONValue.number)
        guard isStrict else { return floats }
        return floats + points.compactMap { Int64(exactly: $0) }.map(JSONValue.integer)
    }

    private func texts() -> [String]? {
        let words = literals.compactMap(\.string)
        let parts = members.compactMap(\.string)
        guard !(words + parts).contains(where: { $0.contains(Self.mark) }) else { return nil }
        var texts = words + [""]
        if ordersText {
            guard parts.isEmpty else { return nil }
            // The value directly after each word represents the gap after the word.
            texts += texts.map { $0 + "\0" }
        }
        // This makes texts that contain some of the parts, and no other text.
        texts += Self.subsets(of: parts).map { $0.map { Self.mark + $0 }.joined() + Self.mark }
        return texts
    }

    /// The subject equals one of the versions, or is between two of them: versions are totally ordered.
    private func versionCases() -> [Case]? {
        var subtrahends: [Int] = []
        for version in versions {
            var before = 0
            for other in versions {
                guard let order = try? VersionComparison.compare(other, version) else { return nil }
                if order < 0 { before += 1 }
            }
            subtrahends.append(2 * before + 1)
        }
        return [[:]]
            + (0...2 * versions.count).map { subject in
                Case(
                    uniqueKeysWithValues: subtrahends.enumerated().map { index, subtrahend in
                        (Self.version(index, of: name), .integer(Int64((subject - subtrahend).signum())))
                    })
            }
    }

    static func version(_ index: Int, of name: String) -> String { "\(name).\(index)" }
}
