internal import BellwetherJSON

extension Experiment.Branch {
    /// Far above what anyone compares; a `BranchVector` counts them.
    static let maximumBranches = 1000

    /// All branches, or nil where one cannot be read or none could ever be chosen.
    static func readAll(_ reader: JSONReader, slug: String, manifest: Manifest) -> [Self]? {
        guard let items = reader.elements() else { return nil }
        guard !items.isEmpty else {
            reader.finding("empty", "a recipe has at least one branch")
            return nil
        }
        guard items.count <= maximumBranches else {
            reader.finding("length", "a recipe has at most \(maximumBranches) branches")
            return nil
        }
        let branches = items.compactMap { read($0, slug: slug, manifest: manifest) }
        guard branches.count == items.count else { return nil }
        // Neither sum nor count can overflow: ratios have 31 bits, a document's values are counted.
        guard branches.contains(where: { $0.ratio > 0 }) else {
            reader.finding("ratios", "the ratios of the branches sum to 0")
            return nil
        }
        return branches
    }

    private static func read(_ reader: JSONReader, slug: String, manifest: Manifest) -> Self? {
        guard reader.object() != nil else { return nil }
        let own = reader.required("slug")?.string()
        // 32 bits with a sign in the SDK.
        let ratio = reader.required("ratio")?.integer(in: 0...Int64(Int32.max))
        _ = reader.tolerant.optional("description")?.string()
        _ = reader.tolerant.optional("screenshots")?.elements()
        let places = RecipeFeatures.places(in: reader)
        let features = places.compactMap { readFeature($0, slug: slug, manifest: manifest) }
        guard let own, let ratio, features.count == places.count else { return nil }
        return Self(slug: own, ratio: ratio, features: features)
    }

    private static func readFeature(
        _ reader: JSONReader, slug: String, manifest: Manifest
    ) -> Experiment.FeatureValue? {
        guard reader.object() != nil, let featureID = reader.required("featureId")?.string() else { return nil }
        guard let place = reader.optional("value"), let value = place.tolerant.object() else {
            return Experiment.FeatureValue(featureID: featureID, value: [:])
        }
        guard featureID.hasSameBytes(as: Experiment.messagingFeature) else {
            return Experiment.FeatureValue(
                featureID: featureID, value: ExperimentSubstitution.apply(slug: slug, to: value))
        }
        let reading = MessagingReading(vocabulary: manifest.vocabulary, extending: manifest.baseMessaging, slug: slug)
        return reading.read(place).map { Experiment.FeatureValue(featureID: featureID, value: $0) }
    }
}
