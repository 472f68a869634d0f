internal import BellwetherJSON
internal import JEXL

/// Tries a recipe on a sample of contexts. Pure: the same edition, recipe and sample give the same forecast.
public struct ForecastMaking {
    private let edition: Edition
    private let recipe: Recipe
    private let now: Timestamp
    /// Numbers of fewer contexts, or of all but fewer, are withheld; locales with fewer stand among the others.
    private let minimumCell: Int

    static let maximumLocales = 50

    /// `edition` is the app's as it would be: the recipe is among its live ones.
    public init(_ recipe: Recipe, in edition: Edition, now: Timestamp, minimumCell: Int) {
        self.recipe = recipe
        self.edition = edition
        self.now = now
        self.minimumCell = minimumCell
    }

    /// A context may stand in the sample several times; it is looked at once for each object that holds it.
    public func forecast(over sample: [TargetingContext]) -> Forecast {
        let gate = gate
        let plan = ForecastPlan(recipe, in: edition.catalog)
        var counting = ForecastCounting(plan)
        for (context, count) in Self.distinct(sample) {
            let client = ForecastClient(context, in: edition.catalog, now: now)
            let targeting = gate == nil ? client.truth(of: recipe.experiment?.targeting) : .fails
            counting.add(client, targeting: targeting, count: count)
        }
        return counting.forecast(
            ForecastCounting.Frame(
                contexts: sample.count, gate: gate, bucketShare: bucketShare, minimumCell: minimumCell))
    }

    private static func distinct(_ sample: [TargetingContext]) -> [(TargetingContext, Int)] {
        var places: [ObjectIdentifier: Int] = [:]
        var distinct: [(TargetingContext, Int)] = []
        for context in sample {
            if let place = places[ObjectIdentifier(context)] {
                distinct[place].1 += 1
            } else {
                places[ObjectIdentifier(context)] = distinct.count
                distinct.append((context, 1))
            }
        }
        return distinct
    }

    private var gate: ForecastGate? {
        guard let experiment = recipe.experiment else { return nil }
        if recipe.hasEnded(at: now) { return .ended }
        if experiment.isFirefoxLabsOptIn { return .firefoxLabs }
        if experiment.isEnrollmentPaused { return .enrollmentsPaused }
        let manifest = edition.manifest
        let subject = EnrollmentSubject(
            appName: manifest.appName, channel: manifest.channel,
            ids: RandomizationIDs(nimbusID: nil, userID: nil), participation: .full)
        let nobody = ForecastEnvironment(
            TargetingContext(requestedLocale: nil, defaultLocale: manifest.defaultLocale, attributes: [:]), now: now)
        var hashes = BucketHashes()
        let outcome = EnrollmentGates(subject: subject, environment: nobody)
            .outcome(for: experiment, isAlreadyEnrolled: false, &hashes)
        switch outcome {
        case .stopped(.differentAppName): return .differentAppName
        case .stopped(.differentChannel): return .differentChannel
        default: return nil
        }
    }

    /// The part of all hashes that lies in the recipe's buckets (`BucketSample.contains`).
    private var bucketShare: Double {
        guard let buckets = recipe.experiment?.bucketConfig else { return 1 }
        let total = UInt64(buckets.total)
        let first = UInt64(buckets.start) % total
        let end = first + UInt64(buckets.count)
        guard end > total else { return Double(buckets.count) / Double(total) }
        let wrapped = end % total
        return wrapped >= first ? 1 : Double(wrapped + total - first) / Double(total)
    }
}

/// A client of whom a context is known: each expression and each message is judged once.
final class ForecastClient {
    let context: TargetingContext
    private let environment: ForecastEnvironment
    private let catalog: Catalog
    private var triggers: [PartialTruth?]
    private var messages: [ForecastTruth?]

    init(_ context: TargetingContext, in catalog: Catalog, now: Timestamp) {
        self.context = context
        self.catalog = catalog
        environment = ForecastEnvironment(context, now: now)
        triggers = Array(repeating: nil, count: catalog.triggers.count)
        messages = Array(repeating: nil, count: catalog.messages.count)
    }

    /// Nil targets everybody.
    func truth(of targeting: CompiledExpression?) -> ForecastTruth {
        targeting.map { ForecastTruth($0.truth(in: environment)) } ?? .holds
    }

    /// Whether it could see a message that it has not seen yet, were it not for others' rank.
    func isEligible(_ position: Int) -> ForecastTruth {
        if let known = messages[position] { return known }
        let message = catalog.messages[position]
        var truth: ForecastTruth = message.facts.maxDisplayCount > 0 ? .holds : .fails
        for use in message.triggers where truth != .fails {
            truth = truth && ForecastTruth(trigger(use.expression))
        }
        for use in message.exclusions where truth != .fails {
            truth = truth && ForecastTruth(exclusion: trigger(use.expression)).negated
        }
        messages[position] = truth
        return truth
    }

    func isEligible(_ rival: ForecastPlan.Rival) -> ForecastTruth {
        let all = rival.positions.map(isEligible)
        if rival.isWhole { return all.reduce(.holds) { $0 && $1 } }
        return all.contains { $0 != .fails } ? .unknown : .fails
    }

    private func trigger(_ index: Int) -> PartialTruth {
        if let known = triggers[index] { return known }
        let truth: PartialTruth
        switch catalog.triggers[index].expression {
        case .success(let expression): truth = expression.truth(in: environment)
        case .failure: truth = .failed
        }
        triggers[index] = truth
        return truth
    }
}
