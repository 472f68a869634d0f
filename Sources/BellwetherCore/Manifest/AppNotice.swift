internal import BellwetherJSON

/// A receiver of notices about what happens to an app's documents (docs/reference/http-api.md#notices).
public struct AppNotice: Sendable, Hashable {
    /// The kind of change that a receiver is told of.
    public enum Occasion: String, Sendable, Hashable, CaseIterable {
        /// A draft waits for whoever puts it live.
        case draft
        /// A revision is in force: a new one, or a resumed one.
        case live
        case paused
        case ended
        /// A quota has no free slot any more, or a message all its responses.
        case full
    }

    public enum Format: String, Sendable, Hashable, CaseIterable {
        case json
        /// `{"text": "…"}`, the format that chat tools accept.
        case text
    }

    static let maximum = 5

    public let url: String
    /// The name of the secret in the settings that signs the notice.
    public let secretName: String?
    public let format: Format
    public let occasions: Set<Occasion>

    init?(_ reader: JSONReader) {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: ["url", "secret_name", "format", "on"])
        secretName = reader.optional("secret_name")?.string(length: 1...128)
        format = reader.optional("format")?.choice(Format.self) ?? .json
        let named = reader.optional("on")
        let items = named?.elements()
        if items?.isEmpty == true { named?.finding("length", "it is told of at least one occasion") }
        occasions = items.map { Set($0.compactMap { $0.choice(Occasion.self) }) } ?? Set(Occasion.allCases)
        guard let url = reader.required("url")?.webAddress() else { return nil }
        self.url = url
    }

    static func readAll(_ reader: JSONReader) -> [AppNotice] {
        guard let items = reader.elements() else { return [] }
        if items.count > maximum { reader.finding("too_many", "an app has at most \(maximum) receivers of notices") }
        return items.prefix(maximum).compactMap { AppNotice($0) }
    }
}
