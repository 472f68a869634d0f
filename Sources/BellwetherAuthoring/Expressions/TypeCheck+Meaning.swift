internal import BellwetherCore
import BellwetherJSON
internal import JEXL

/// Comparisons that are valid and mean something else than their author thinks: the form or the unit of a value is
/// known, and the other side has another one (docs/findings.md#expressions).
extension TypeCheck {
    mutating func checkMeaning(_ binary: Operator, _ left: Side, _ right: Side, _ step: TypedStep) {
        switch binary {
        case .less, .greater, .lessOrEqual, .greaterOrEqual:
            for (value, literal) in [(left, right), (right, left)] {
                checkVersion(value, literal, step)
                checkUnit(value, literal, step)
            }
            checkClock(left, right, step)
        case .equal, .notEqual:
            for (value, literal) in [(left, right), (right, left)] {
                checkForm(value, literal.literal.map { [$0] } ?? [], step)
            }
        case .isIn:
            checkForm(left, right.literal?.array ?? [], step)
            checkTextAsList(left, right, step)
        case .subtract: checkClock(left, right, step)
        default: break
        }
    }

    // MARK: Versions

    /// Attributes of the SDK that are versions, also without a point.
    private static let versions: Set<String> = ["android_sdk_version", "app_version", "os_version"]

    private mutating func checkVersion(_ value: Side, _ literal: Side, _ step: TypedStep) {
        guard let text = literal.literal?.string, value.literal == nil, value.known.contains(.string) else { return }
        let isVersion = value.isAttribute && value.path.map { Self.versions.contains($0[0]) } == true
        guard text.hasVersionForm || isVersion && text.utf8.allSatisfy(\.isASCIIDigit) && !text.isEmpty else { return }
        note(
            .versionOrder, step,
            "texts are compared character by character, and \"10.0\" is less than \"9.0\": "
                + "compare versions with versionCompare(\(JSONValue.string(text).text)) and 0")
    }

    // MARK: Units

    /// Reports a number that no value in the unit of the other side can be.
    private mutating func checkUnit(_ value: Side, _ literal: Side, _ step: TypedStep) {
        guard let number = literal.literal?.double else { return }
        if let query = value.event, query.kind == .eventLastSeen, case .buckets(let interval, _, _) = query.scope {
            let kept = interval.capacity
            guard number > Double(kept) else { return }
            let unit = interval.rawValue.lowercased()
            return note(
                .unit, step,
                "the last \(kept) \(unit) are kept, and the result is in \(unit): \(Self.text(number)) is beyond all of them"
            )
        }
        guard value.isAttribute, let name = value.path?[0] else { return }
        switch name {
        case "current_date":
            // Between the years 1973 and 5138.
            guard !(1e8..<1e11).contains(number) else { return }
            let unit = number >= 1e11 ? ": this is in milliseconds" : ", as \(Self.text(number)) is not"
            note(.unit, step, "current_date has the seconds since 1970\(unit)")
        case "days_since_install", "days_since_update":
            guard number >= 10_000 else { return }
            note(.unit, step, "\(name) is in days: \(Self.text(number)) of them are \(Int(number / 365)) years")
        default: break
        }
    }

    /// Reports seconds beside milliseconds.
    private mutating func checkClock(_ left: Side, _ right: Side, _ step: TypedStep) {
        func isNow(_ side: Side) -> Bool { side.path == ["current_date"] }
        guard isNow(left) && right.isDate || left.isDate && isNow(right) else { return }
        note(.unit, step, "current_date is in seconds, and date gives milliseconds: write current_date * 1000")
    }

    static func text(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    // MARK: Forms

    /// Reports values that a language, region or locale never has.
    private mutating func checkForm(_ value: Side, _ literals: [JSONValue], _ step: TypedStep) {
        guard value.isAttribute, let name = value.path?[0] else { return }
        for text in literals.compactMap(\.string) {
            guard let form = Self.form(of: name, unlike: text) else { continue }
            note(.noSuchValue, step, "\(name) is never \(JSONValue.string(text).text): \(form)")
        }
    }

    private static func form(of name: String, unlike text: String) -> String? {
        let isLower = text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        switch name {
        case "language": return isLower ? nil : "a language has small letters and no region, such as \"en\""
        case "region" where isLower && text.utf8.count == 2: return "a region has capitals, such as \"US\""
        case "locale" where text.contains("_"): return "a locale has hyphens, such as \"en-US\""
        default: return nil
        }
    }

    /// Reports a list that is written as one text, or one word.
    private mutating func checkTextAsList(_ left: Side, _ right: Side, _ step: TypedStep) {
        guard left.path != nil, left.known.contains(.string), let text = right.literal?.string,
            !text.contains(" ") || text.contains(",")
        else { return }
        let words = text.split(whereSeparator: { $0 == "," || $0 == " " }).map { JSONValue.string(String($0)).text }
        note(
            .textAsList, step,
            "\"in\" looks for one text within the other, also for a part of a word: "
                + (words.count > 1
                    ? "a list is [\(words.joined(separator: ", "))]" : "compare with \"==\", or swap the two"))
    }
}

extension String {
    /// Whether the text is a version with at least two parts: `9.0`, `v2.1.3`, `14.!`, `1.2b3`.
    fileprivate var hasVersionForm: Bool {
        let text = hasPrefix("v") ? dropFirst() : self[...]
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard utf8.count <= 40, !contains(where: \.isWhitespace), parts.count > 1, let first = parts.first,
            !first.isEmpty, first.utf8.allSatisfy(\.isASCIIDigit)
        else { return false }
        return parts.dropFirst().allSatisfy { part in
            part.utf8.first.map { $0.isASCIIDigit || [UInt8(ascii: "!"), UInt8(ascii: "*")].contains($0) } ?? false
        }
    }
}
