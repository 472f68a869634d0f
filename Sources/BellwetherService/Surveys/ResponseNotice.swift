internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// A submitted response in words: the questions and the answers, in the app's default language
/// (docs/reference/surveys.md#notifications). Answers to sensitive questions are left out.
struct ResponseNotice {
    /// The name as the author wrote it; nil if the recipe has none.
    let ownName: String?
    private let name: String
    /// The answers, in the order of the questions.
    let lines: [AnswerWords]
    /// The link to the response; nil if the daemon does not know its own address.
    let link: String?

    /// - Parameter words: returns the answers in words; its argument resolves ids of texts.
    init(
        _ run: Run, called ownName: String?, in app: AppSnapshot, publicURL: String?,
        words: (_ resolve: (String) -> String) -> [AnswerWords]
    ) {
        let texts = Texts(localizer: app.strings.localizer(for: nil), shortName: app.manifest.shortName)
        self.ownName = ownName
        name = ownName.map(texts.resolve) ?? run.slug.text
        lines = words(texts.resolve)
        link = publicURL.map { "\($0)/v1/apps/\(app.name)/responses/\(run.id)" }
    }

    /// The length that the incoming webhooks of chat tools accept.
    static let maximumLength = 4000

    /// The text for a chat, of at most `maximumLength` Unicode scalars. A longer text is cut before the link.
    var text: String {
        let parts = ["New response: \(name)"] + lines.map { "\($0.question)\n\($0.answer)" }
        let end = link.map { "\n\n\($0)" } ?? ""
        let body = Self.escapedScalars(parts.joined(separator: "\n\n"))
        let room = Self.maximumLength - end.unicodeScalars.count
        guard body.count > room else { return String(body) + end }
        // An escape that would be cut is left out completely.
        var cut = body.prefix(max(0, room - 1))
        if let start = cut.suffix(4).lastIndex(of: "&"), !cut[start...].contains(";") { cut = cut[..<start] }
        return String(cut) + "…" + end
    }

    /// Escapes `<…>`, which chat tools read as links and as mentions of everyone. A respondent must not be able to
    /// write these.
    static func escaped(_ text: String) -> String { String(escapedScalars(text)) }

    private static func escapedScalars(_ text: String) -> String.UnicodeScalarView {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return escaped
    }
}
