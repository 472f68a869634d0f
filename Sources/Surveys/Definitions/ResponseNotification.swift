internal import BellwetherJSON

/// The receiver of notices about submitted responses, or about completed runs of a flow
/// (docs/reference/surveys.md#notifications).
public struct ResponseNotification: Sendable, Hashable {
    public let url: String
    /// The name of the secret in the settings that signs the notice.
    public let secretName: String?
    /// The condition that a response must meet; nil: the receiver is notified of all responses.
    public let condition: Condition?
    public let format: Format

    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// An event with the answers and their words.
        case json
        /// `{"text": "…"}`, the format that chat tools accept.
        case text
    }

    /// Reads the receiver; nil if the address cannot be read.
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
