internal import BellwetherCore
internal import BellwetherJSON

/// Options that express a degree in words.
///
/// A degree is recognised by the Microsurvey table's string id, or by its exact English text.
struct ScaleWords {
    private let text: String
    private let keys: [Identifier]

    private init(_ text: String, _ keys: MicrosurveyStrings.Key...) {
        self.text = text
        self.keys = keys.map { Identifier($0.id) }
    }

    /// The words of the options of Firefox's own microsurveys, under their earlier keys
    /// (docs/reference/messaging.md#microsurveys).
    private init(_ key: MicrosurveyStrings.Key, earlier: String) {
        text = MicrosurveyStrings.english[key.rawValue] ?? key.rawValue
        keys = [
            Identifier(key.id), "\(MicrosurveyStrings.table)/Microsurvey.Survey.Options.LikertScaleOption\(earlier)",
        ]
    }

    func isSaid(by option: ScaleOption) -> Bool {
        keys.contains(option.id) || option.id == text || text == option.text
    }

    /// The scales, each from its lowest degree to its highest.
    static let scales: [[ScaleWords]] = [
        [
            ScaleWords(.veryDissatisfied, earlier: "5.v127"), ScaleWords(.dissatisfied, earlier: "4.v127"),
            ScaleWords(.neutral, earlier: "3.v127"), ScaleWords(.satisfied, earlier: "2.v127"),
            ScaleWords(.verySatisfied, earlier: "1.v127"),
        ],
        ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"]
            .map { ScaleWords($0) },
        ["Very unlikely", "Unlikely", "Neutral", "Likely", "Very likely"].map { ScaleWords($0) },
    ]

    private static let notApplicable = ScaleWords(.notApplicable, earlier: "6.v129")

    static func isNotApplicable(_ option: ScaleOption) -> Bool { notApplicable.isSaid(by: option) }

    /// A whole number of one or two digits. If `mayBeLabelled`, a label may follow after a space. The label must
    /// contain no other number: "18 - 24" is not a number.
    static func number(_ text: String, mayBeLabelled: Bool) -> Int? {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...2).contains(digits.count), let number = Int(Substring(digits)) else { return nil }
        let label = text.utf8.dropFirst(digits.count)
        if label.isEmpty { return digits.count == 1 || number >= 10 ? number : nil }
        let saysNumber = label.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return mayBeLabelled && label.first == UInt8(ascii: " ") && !saysNumber ? number : nil
    }
}
