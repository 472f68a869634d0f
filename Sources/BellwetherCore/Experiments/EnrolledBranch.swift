public import BellwetherJSON

/// A recipe's branch in which a client is enrolled.
public struct EnrolledBranch: Sendable, Hashable {
    public let slug: Identifier
    public let branch: Identifier

    public init(slug: Identifier, branch: Identifier) {
        self.slug = slug
        self.branch = branch
    }
}
