public import BellwetherBase
internal import BellwetherCore

/// Who makes a change, and when: what the audit says of it beside the change itself.
public struct ChangeOrigin: Sendable, Hashable {
    /// See `ChangeAuthor`.
    public let author: String
    public let at: Timestamp

    public init(author: String, at: Timestamp) {
        self.author = author
        self.at = at
    }
}
