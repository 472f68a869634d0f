internal import BellwetherBase

/// The address of an app's privacy notice, and the campaign that marks a visit to it
/// (docs/reference/messaging.md#privacy-link).
public struct PrivacyLink: Sendable, Hashable {
    /// The part before the language: `https://www.mozilla.org/`.
    public let base: String
    /// The part after the language: `privacy/firefox/`.
    public let path: String
    /// The complete link for clients that request no language.
    public let fallback: String
    public let utmMedium: String?
    public let utmSource: String?
    public let utmCampaign: String?

    /// The link without the language and the content; nil if base and path do not form a valid link.
    private let frame: Frame?

    private struct Frame: Sendable, Hashable {
        let beforeTag: String
        let afterTag: String
        let separator: String
        let fragment: String
    }

    public init(
        base: String, path: String, fallback: String, utmMedium: String? = nil, utmSource: String? = nil,
        utmCampaign: String? = nil
    ) {
        self.base = base
        self.path = path
        self.fallback = fallback
        self.utmMedium = utmMedium
        self.utmSource = utmSource
        self.utmCampaign = utmCampaign
        let parameters = [("utm_medium", utmMedium), ("utm_source", utmSource), ("utm_campaign", utmCampaign)]
        frame = Self.frame(base: base, path: path, parameters: parameters)
    }

    /// The link in the requested language, whether or not the app has texts in it.
    ///
    /// The order of the parameters is fixed: medium, source, campaign, content. A missing parameter is left out; an
    /// empty one is not. The result is the fallback if `requestedLocale` is missing or no language tag. It is also the
    /// fallback if base and path do not form a valid link.
    public func url(requestedLocale: String?, utmContent: String?) -> String {
        guard let frame, let tag = requestedLocale.flatMap({ LanguageTag($0) }) else { return fallback }
        let content = utmContent.map { frame.separator + "utm_content=" + PercentEncoding.queryValue($0) } ?? ""
        return frame.beforeTag + tag.text + frame.afterTag + content + frame.fragment
    }

    private static func frame(base: String, path: String, parameters: [(String, String?)]) -> Frame? {
        // Without the slash the tag would become part of the host: https://example.orgde/privacy.
        guard let directory = LinkText(base.utf8.last == UInt8(ascii: "/") ? base : base + "/")?.text,
            var link = LinkText(directory + "/" + path), link.beforeFragment.utf8.starts(with: directory.utf8)
        else { return nil }
        link.append(
            items: parameters.compactMap { name, value in
                value.map { name + "=" + PercentEncoding.queryValue($0) }
            })
        return Frame(
            beforeTag: directory, afterTag: String(link.beforeFragment.dropFirst(directory.count)),
            separator: link.hasQuery ? "&" : "?", fragment: link.fragmentWithMark)
    }
}
