internal import BellwetherJSON

/// The ids by which one client is assigned to buckets and branches.
///
/// The client's id is the default of both; a context may carry either as an attribute
/// (docs/reference/experiments.md#randomization-ids).
public struct RandomizationIDs: Sendable, Hashable {
    public let nimbusID: String?
    public let userID: String?

    public init(nimbusID: String?, userID: String?) {
        self.nimbusID = nimbusID
        self.userID = userID
    }

    /// An attribute that is no text is none.
    public init(clientID: String?, context: TargetingContext) {
        nimbusID = context.attributes["nimbus_id"]?.string ?? clientID
        userID = context.attributes["user_id"]?.string ?? clientID
    }

    /// Nil where the client does not have this unit.
    public func id(_ unit: RandomizationUnit) -> String? {
        switch unit {
        case .nimbusID: nimbusID
        case .userID: userID
        }
    }
}
