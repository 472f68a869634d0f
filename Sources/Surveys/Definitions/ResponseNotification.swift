internal import BellwetherJSON

/// The receiver of notices of submitted responses, or of runs of a flow that were completed
/// (docs/reference/surveys.md#notifications).
public struct ResponseNotification: Sendable, Hashable {
    public let url: String
    /// The secret of the settings that signs it.
    public let secretName: String?
    /// Only responses for which it holds; nil: all.
    public let condition: Condition?
    public let format: Format

    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// An event with the answers and their words.
        case json
        /// `{"text": "…"}`, as chat tools take it.
        case text
    }

    /// Nil: no address reads.
    init?(_ reader: JSONReader) {
        guard reader.object() != nil else { return nil }
        reader.own.refuseUnknown(keys: ["url", "secret_name", "when", "format"])
        secretName = reader.optional("secret_name")?.string(length: 1...128)
        condition = reader.optional("when").map { ConditionDialect.core.read($0) }
        format = reader.optional("format")?.choice(Format.self) ?? .json
        guard let url = reader.required("url")?.webAddress() else { return nil }
        self.url = url
    }
}
