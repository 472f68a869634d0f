public import BellwetherJSON

/// The ids by which one client is assigned to buckets and branches.
///
/// The client's id is the default of both. A context may contain either as an attribute
/// (docs/reference/experiments.md#randomization-ids).
public struct RandomizationIDs: Sendable, Hashable {
    public let nimbusID: String?
    public let userID: String?

    public init(nimbusID: String?, userID: String?) {
        self.nimbusID = nimbusID
        self.userID = userID
    }

    /// Reads the ids. An attribute that is not a string is ignored.
    public init(clientID: Identifier?, context: TargetingContext) {
        nimbusID = context.attributes["nimbus_id"]?.string ?? clientID?.text
        userID = context.attributes["user_id"]?.string ?? clientID?.text
    }

    /// The id of a unit; nil if the client does not have it.
    public func id(_ unit: RandomizationUnit) -> String? {
        switch unit {
        case .nimbusID: nimbusID
        case .userID: userID
        }
    }
}
