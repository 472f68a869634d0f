public import BellwetherBase
public import BellwetherJSON
public import JEXL

/// A Nimbus recipe, experiment or rollout, as the SDK reads it (docs/reference/experiments.md#recipe-documents),
/// versions 6 and 7 alike.
///
/// Only what decides is in it: the document it was read from is kept beside it, whole.
public final class Experiment: Sendable {
    public let slug: String
    public let revision: Int
    public let appName: String?
    /// As written; compared without regard to case.
    public let channels: [String]
    /// One branch for all, with its own buckets and its own hold on features.
    public let isRollout: Bool
    /// No new enrollments; those who are enrolled stay.
    public let isEnrollmentPaused: Bool
    /// Nobody is enrolled without having asked.
    public let isFirefoxLabsOptIn: Bool
    public let bucketConfig: BucketConfig
    /// Never empty; ratios sum to more than 0.
    public let branches: [Branch]
    /// Nil: everyone.
    public let targeting: CompiledExpression?
    public let dates: Dates

    init(
        slug: String, revision: Int, appName: String?, channels: [String], isRollout: Bool, isEnrollmentPaused: Bool,
        isFirefoxLabsOptIn: Bool, bucketConfig: BucketConfig, branches: [Branch], targeting: CompiledExpression?,
        dates: Dates
    ) {
        self.slug = slug
        self.revision = revision
        self.appName = appName
        self.channels = channels
        self.isRollout = isRollout
        self.isEnrollmentPaused = isEnrollmentPaused
        self.isFirefoxLabsOptIn = isFirefoxLabsOptIn
        self.bucketConfig = bucketConfig
        self.branches = branches
        self.targeting = targeting
        self.dates = dates
    }

    /// When the recipe came and ends; all for people but `published`, which orders evaluation and merging.
    public struct Dates: Sendable, Hashable {
        public let published: Timestamp?
        public let start: Timestamp?
        public let end: Timestamp?
    }

    /// Which part of the population takes part (docs/reference/experiments.md#bucketing).
    public struct BucketConfig: Sendable, Hashable {
        public let randomizationUnit: RandomizationUnit
        public let namespace: String
        public let start: UInt32
        public let count: UInt32
        /// Never 0.
        public let total: UInt32
    }

    public struct Branch: Sendable, Hashable {
        public let slug: String
        public let ratio: Int64
        public let features: [FeatureValue]

        /// Nil where the branch leaves the feature alone.
        public func value(of featureID: String) -> JSONObject? {
            features.first { $0.featureID.hasSameBytes(as: featureID) }?.value
        }
    }

    /// What a branch sets of a feature, `{experiment}` replaced; of `messaging` with its aliases normalised.
    public struct FeatureValue: Sendable, Hashable {
        public let featureID: String
        public let value: JSONObject
    }

    /// The feature that the daemon serves itself.
    public static let messagingFeature = "messaging"

    /// Whether the recipe names no app, or this one. An app without a name takes any.
    package func isForApp(_ name: String?) -> Bool {
        guard let appName, let name else { return true }
        return appName.hasSameBytes(as: name)
    }

    /// Whether the recipe names no channel, or this one, which is given in lower case: case does not count. Cirrus
    /// compares exactly.
    package func isForChannel(lowercased channel: String?) -> Bool {
        guard let channel, !channels.isEmpty else { return true }
        return channels.contains { $0.hasSameBytes(as: channel) || $0.lowercased().hasSameBytes(as: channel) }
    }

    public func branch(_ slug: String) -> Branch? { branches.first { $0.slug.hasSameBytes(as: slug) } }

    /// The features of all branches, each once, in the order of the document: a client of any branch holds them all.
    public var featureIDs: [String] {
        var seen: Set<ByteKey> = []
        return branches.flatMap(\.features).map(\.featureID).filter { seen.insert(ByteKey(text: $0)).inserted }
    }
}

/// The id by which clients are spread over buckets and branches. The schema knows more; the SDK refuses them.
public enum RandomizationUnit: String, Sendable, Hashable, CaseIterable {
    case nimbusID = "nimbus_id"
    case userID = "user_id"
}
