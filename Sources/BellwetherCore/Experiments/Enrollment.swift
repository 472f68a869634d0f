public import BellwetherJSON

/// The stored enrollment of one client in one recipe.
public struct Enrollment: Sendable, Hashable {
    public let slug: Identifier
    public var status: EnrollmentStatus

    public init(slug: Identifier, status: EnrollmentStatus) {
        self.slug = slug
        self.status = status
    }

    /// Nil unless the client is enrolled now.
    public var enrolledBranch: EnrolledBranch? {
        guard case .enrolled(_, let branch) = status else { return nil }
        return EnrolledBranch(slug: slug, branch: branch)
    }
}
