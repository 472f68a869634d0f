/// A phone number as a person has written it (docs/reference/flows.md#phone-numbers).
///
/// The rules are those of Google's libphonenumber, as far as they concern numbers that can be dialled.
struct PhoneNumber {
    /// The number in the format of ITU-T E.164, such as `+15551234567`; nil if its country cannot be told.
    let e164: String?

    /// The number of digits of a number without a country.
    private static let lengths = 5...15

    /// Reads a text; nil if it is no phone number. A number that begins with `+` must have a length of its country.
    ///
    /// - Parameter country: the writer's country by ISO 3166-1, which completes a national number; nil: unknown.
    init?(_ text: String, country: String?) {
        guard let written = WrittenPhone(text) else { return nil }
        if written.isInternational {
            guard let number = Self.international(written.digits) else { return nil }
            e164 = number
            return
        }
        let plan = country.flatMap { PhonePlan.of(region: $0) }
        let exits = [plan?.exit, "00"].compactMap(\.self)
        let abroad = exits.lazy.filter { written.digits.hasPrefix($0) }
            .compactMap { Self.international(String(written.digits.dropFirst($0.count))) }.first
        e164 = abroad ?? plan.flatMap { Self.national(written.digits, $0) }
        if e164 == nil, !Self.lengths.contains(written.digits.utf8.count) { return nil }
    }

    /// The number whose digits begin with a calling code; nil if its length is not one of its country.
    private static func international(_ digits: String) -> String? {
        guard digits.first != "0" else { return nil }
        for length in 1...3 {
            guard let plan = PhonePlan.of(code: String(digits.prefix(length))) else { continue }
            return complete(plan.withoutTrunk(String(digits.dropFirst(length))), plan)
        }
        return nil
    }

    /// The number of a country in E.164; nil if its length is not one of the country.
    private static func national(_ digits: String, _ plan: PhonePlan) -> String? {
        if digits.hasPrefix(plan.code) {
            // "49 170 …" is a number with its country but without the plus, if it makes sense as such only.
            let rest = plan.withoutTrunk(String(digits.dropFirst(plan.code.count)))
            let isLong = digits.count > (plan.lengths.last ?? 0)
            if isLong || (!plan.matches(digits) && plan.matches(rest)) { return complete(rest, plan) }
        }
        return complete(plan.withoutTrunk(digits), plan)
    }

    private static func complete(_ digits: String, _ plan: PhonePlan) -> String? {
        guard let main = PhonePlan.of(code: plan.code), main.lengths.contains(digits.count) else { return nil }
        return "+" + plan.code + digits
    }
}

/// The digits of a text that may be a phone number, without punctuation and extension.
private struct WrittenPhone {
    private(set) var isInternational = false
    private(set) var digits = ""

    /// The maximum number of scalars of a number with its extension.
    private static let maximumLength = 100
    /// Spaces are punctuation too. The last characters set the direction of the text.
    private static let punctuation: Set<Unicode.Scalar> = Set(
        "()[]-./~‐‑‒–—―−－．／（）［］\u{AD}\u{200B}\u{2060}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{2066}\u{2067}\u{2069}"
            .unicodeScalars)
    /// The words before an extension.
    private static let words: Set<String> = [
        "", "x", "х", "ext", "extn", "extension", "extensión", "int", "anexo", "доб", "durchwahl", "poste",
    ]

    /// Reads a text; nil if it has characters that a phone number does not have.
    init?(_ text: String) {
        var scalars = Array(text.unicodeScalars.prefix(Self.maximumLength + 1))[...]
        guard scalars.count <= Self.maximumLength else { return nil }
        if text.lowercased().hasPrefix("tel:") { scalars = scalars.dropFirst(4) }
        while let scalar = scalars.first {
            if let digit = Self.digit(scalar) {
                digits.append(digit)
            } else if scalar == "+" || scalar == "＋" {
                guard digits.isEmpty, !isInternational else { return nil }
                isInternational = true
            } else if !Self.punctuation.contains(scalar), !scalar.properties.isWhitespace {
                break
            }
            scalars = scalars.dropFirst()
        }
        guard !digits.isEmpty, scalars.isEmpty || Self.isExtension(scalars) else { return nil }
    }

    /// Whether the rest of a text is an extension: `ext. 12`, `x12`, `#12`, `;ext=12`, `,12`.
    private static func isExtension(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
        let isMark = { (scalar: Unicode.Scalar) in
            ".:=#,;".unicodeScalars.contains(scalar) || scalar.properties.isWhitespace
        }
        let rest = scalars.drop(while: isMark)
        let word = rest.prefix { digit($0) == nil && !isMark($0) }
        let number = rest.dropFirst(word.count).drop(while: isMark)
        var name = String.UnicodeScalarView()
        name.append(contentsOf: word)
        return words.contains(String(name).lowercased()) && (1...20).contains(number.count)
            && number.allSatisfy { digit($0) != nil }
    }

    /// The digit from 0 to 9 that a decimal digit of any script stands for.
    private static func digit(_ scalar: Unicode.Scalar) -> Character? {
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return Character(String(Int(value)))
    }
}

/// How one country numbers its phones: a line of `PhoneTable`.
private struct PhonePlan {
    let code: String
    /// The prefix of calls to other countries, in addition to `00`.
    let exit: String?
    /// The lengths of complete numbers, in order.
    let lengths: [Int]
    /// The prefixes of calls within the country, which are no part of a number.
    private let trunks: [String]
    /// The area of numbers that are written without one, and the pattern of such numbers.
    private let area: (code: String, pattern: Pattern)?
    private let localLengths: [Int]
    private let pattern: Pattern?

    private static let lines: (regions: [Substring: Substring], codes: [Substring: Substring]) = {
        var regions: [Substring: Substring] = [:]
        var codes: [Substring: Substring] = [:]
        for line in PhoneTable.text.split(separator: "\n") {
            let columns = line.split(separator: " ", maxSplits: 2)
            regions[columns[0]] = line
            if codes[columns[1]] == nil { codes[columns[1]] = line }
        }
        return (regions, codes)
    }()

    static func of(region: String) -> PhonePlan? { lines.regions[region[...]].flatMap { PhonePlan($0) } }
    static func of(code: String) -> PhonePlan? { lines.codes[code[...]].flatMap { PhonePlan($0) } }

    private init?(_ line: Substring) {
        let columns = line.split(separator: " ", maxSplits: 8).map { $0 == "-" ? "" : String($0) }
        guard columns.count == 9, columns[0] != "" || columns[1].count == 3 else { return nil }
        func list(_ column: Int) -> [String] { columns[column].split(separator: ",").map(String.init) }
        code = columns[1]
        trunks = list(2)
        exit = columns[3].isEmpty ? nil : columns[3]
        area = Self.whole(columns[5]).map { (columns[4], $0) }
        lengths = list(6).compactMap { Int($0) }
        localLengths = list(7).compactMap { Int($0) }
        pattern = Self.whole(columns[8])
    }

    private static func whole(_ text: String) -> Pattern? { text.isEmpty ? nil : try? Pattern("^(?:\(text))$") }

    func matches(_ digits: String) -> Bool { Self.isFound(pattern, digits) }

    /// A number has so few digits that the search never ends short.
    private static func isFound(_ pattern: Pattern?, _ digits: String) -> Bool {
        var budget = EvaluationBudget.wholeSave
        return pattern?.isFound(in: digits, &budget) ?? false
    }

    /// The number without the prefix of calls within the country, and with its area.
    func withoutTrunk(_ digits: String) -> String {
        if let area, Self.isFound(area.pattern, digits) {
            return matches(digits) && !matches(area.code + digits) ? digits : area.code + digits
        }
        if code == "54", let mobile = Self.argentineMobile(digits) { return mobile }
        guard let trunk = trunks.first(where: digits.hasPrefix) else { return digits }
        let rest = String(digits.dropFirst(trunk.count))
        if matches(digits), !matches(rest) { return digits }
        let isPossible = lengths.contains(rest.count) && !localLengths.contains(rest.count)
        return isPossible || rest.count > (lengths.last ?? 0) ? rest : digits
    }

    /// The number `9 11 2345-6789` for the mobile phone `011 15-2345-6789`; nil for other numbers.
    private static func argentineMobile(_ digits: String) -> String? {
        let number = digits.hasPrefix("0") ? digits.dropFirst() : digits[...]
        guard number.count == 12 else { return nil }
        for length in number.hasPrefix("11") ? [2] : [3, 4] where number.dropFirst(length).hasPrefix("15") {
            return "9" + number.prefix(length) + number.dropFirst(length + 2)
        }
        return nil
    }
}
