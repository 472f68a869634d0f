internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// A submitted response in words: what was asked, and what was answered, in the app's default language
/// (docs/reference/surveys.md#notifications). Answers to sensitive questions are left out.
struct ResponseNotice {
    /// As the author wrote it; nil: the recipe has none.
    let ownName: String?
    private let name: String
    /// In the order of the questions.
    let lines: [AnswerWords]
    /// To the response; nil: the daemon does not know its own address.
    let link: String?

    /// - Parameter words: the answers in words; it gets what resolves ids of texts.
    init(
        _ run: Run, called ownName: String?, in app: AppSnapshot, publicURL: String?,
        words: (_ resolve: (String) -> String) -> [AnswerWords]
    ) {
        let texts = Texts(localizer: app.strings.localizer(for: nil), shortName: app.manifest.shortName)
        self.ownName = ownName
        name = ownName.map(texts.resolve) ?? run.slug
        lines = words(texts.resolve)
        link = publicURL.map { "\($0)/v1/apps/\(app.name)/responses/\(run.id)" }
    }

    /// As much as the incoming webhooks of chat tools take.
    static let maximumLength = 4000

    /// One text for a chat, in Unicode scalars at most `maximumLength`: what is too much is cut before the link.
    var text: String {
        let parts = ["New response: \(name)"] + lines.map { "\($0.question)\n\($0.answer)" }
        let end = link.map { "\n\n\($0)" } ?? ""
        let body = Self.escaped(parts.joined(separator: "\n\n"))
        let room = Self.maximumLength - end.unicodeScalars.count
        guard body.count > room else { return String(body) + end }
        // An escape that is cut stays out whole.
        var cut = body.prefix(max(0, room - 1))
        if let start = cut.suffix(4).lastIndex(of: "&"), !cut[start...].contains(";") { cut = cut[..<start] }
        return String(cut) + "…" + end
    }

    /// Chat tools read `<…>` as links and as mentions of everyone: a respondent must not be able to write these.
    private static func escaped(_ text: String) -> String.UnicodeScalarView {
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
