internal import BellwetherJSON

/// A member of a record's `extra` that has a column.
public enum ExtraMember: Int, Sendable, CaseIterable {
    case experiment, branch
    case messageKey, messageSurface, surveyID, userSelection, optionStringID, locale, featureID
    case optionIndex, revision
    case slug, flow, step

    /// The members that have columns of the same name in both formats, CSV and Parquet.
    public static let texts: [ExtraMember] = [
        .messageKey, .messageSurface, .surveyID, .userSelection, .optionStringID, .locale, .featureID,
    ]
    public static let numbers: [ExtraMember] = [.optionIndex, .revision]

    public var text: String {
        switch self {
        case .experiment: "experiment"
        case .branch: "branch"
        case .messageKey: "message_key"
        case .messageSurface: "message_surface"
        case .surveyID: "survey_id"
        case .userSelection: "user_selection"
        case .optionStringID: "option_string_id"
        case .locale: "locale"
        case .featureID: "feature_id"
        case .optionIndex: "option_index"
        case .revision: "revision"
        case .slug: "slug"
        case .flow: "flow_id"
        case .step: "step_id"
        }
    }

    fileprivate static let bytes = allCases.map { Array($0.text.utf8) }
}

/// The members of a record's `extra` that have columns, found in its text in one pass. A tree of a million texts takes
/// longer than the file of their columns.
///
/// The text is JSON that the daemon has written. In any other text, no member is found.
struct ExtraMembers {
    private enum Scalar {
        case none
        case text(String)
        case number(String)
    }

    private var values = [Scalar](repeating: .none, count: ExtraMember.allCases.count)

    init(_ text: String) {
        guard text.utf8.count > 2 else { return }
        var scan = Scan(bytes: Array(text.utf8))
        scan.members { name, value in values[name.rawValue] = value }
    }

    /// The text of a member; nil if the member is missing or no text.
    func text(_ name: ExtraMember) -> String? {
        if case .text(let text) = values[name.rawValue] { text } else { nil }
    }

    /// The whole number of a member. Phones send numbers as text too.
    func integer(_ name: ExtraMember) -> Int64? {
        switch values[name.rawValue] {
        case .none: nil
        case .text(let text), .number(let text): Int64(text)
        }
    }

    /// Reads the members of one object.
    private struct Scan {
        let bytes: [UInt8]
        private var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

        private mutating func skipSpace() { while [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 } }

        mutating func members(_ body: (ExtraMember, Scalar) -> Void) {
            skipSpace()
            guard byte == UInt8(ascii: "{") else { return }
            index += 1
            while true {
                skipSpace()
                guard byte == UInt8(ascii: "\""), let key = string() else { return }
                let name = name(key)
                skipSpace()
                guard byte == UInt8(ascii: ":") else { return }
                index += 1
                skipSpace()
                guard let value = value() else { return }
                if let name, let scalar = scalar(value) { body(name, scalar) }
                skipSpace()
                guard byte == UInt8(ascii: ",") else { return }
                index += 1
            }
        }

        /// The range of a string with its quotes.
        private mutating func string() -> Range<Int>? {
            let start = index
            index += 1
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\\"): index += 2
                case UInt8(ascii: "\""):
                    index += 1
                    return start..<index
                default: index += 1
                }
            }
            return nil
        }

        /// The range of a value. The end of a list or an object is the bracket at its own depth.
        private mutating func value() -> Range<Int>? {
            let start = index
            var depth = 0
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\""):
                    guard string() != nil else { return nil }
                    if depth == 0 { return start..<index }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return start..<index }
                    depth -= 1
                    if depth == 0 {
                        index += 1
                        return start..<index
                    }
                case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D: if depth == 0 { return start..<index }
                default: break
                }
                index += 1
            }
            return nil
        }

        private func name(_ key: Range<Int>) -> ExtraMember? {
            let count = key.count - 2
            return ExtraMember.allCases.first { name in
                let text = ExtraMember.bytes[name.rawValue]
                guard text.count == count else { return false }
                for place in 0..<count where bytes[key.lowerBound + 1 + place] != text[place] { return false }
                return true
            }
        }

        private func scalar(_ value: Range<Int>) -> Scalar? {
            switch bytes[value.lowerBound] {
            case UInt8(ascii: "\""):
                if bytes[value].contains(UInt8(ascii: "\\")) {
                    return (try? JSONValue(parsing: Array(bytes[value])))?.string.map { .text($0) }
                }
                return .text(String(decoding: bytes[value.lowerBound + 1..<value.upperBound - 1], as: UTF8.self))
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                return .number(String(decoding: bytes[value], as: UTF8.self))
            default: return nil
            }
        }
    }
}
