/// A recipe's branch in which a client is enrolled.
public struct EnrolledBranch: Sendable, Hashable {
    public let slug: String
    public let branch: String

    public init(slug: String, branch: String) {
        self.slug = slug
        self.branch = branch
    }
}
