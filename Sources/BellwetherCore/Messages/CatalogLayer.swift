public import BellwetherJSON

/// One recipe's contribution to an app's messages: the value of the branch in which a client is enrolled.
public struct CatalogLayer: Sendable {
    public let enrollment: EnrolledBranch
    public let revision: Int
    /// Aliases normalised, `{experiment}` replaced (see `MessagingReading`).
    public let value: JSONObject

    public init(enrollment: EnrolledBranch, revision: Int, value: JSONObject) {
        self.enrollment = enrollment
        self.revision = revision
        self.value = value
    }
}
