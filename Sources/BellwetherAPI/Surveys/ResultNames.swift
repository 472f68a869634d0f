internal import BellwetherAuthoring
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// Checks the attribute, branch and experiment that a query of results or responses names. Responses may have names of
/// an earlier revision, which the live recipe no longer has (docs/reference/surveys.md#breakdowns).
struct ResultNames {
    private let query: RunResultsQuery
    private let asked: Identifier?
    private let kept: [Identifier]
    /// The branches of the app's experiments.
    private let branches: [Identifier]
    private let experiments: [Identifier]

    /// - Parameters:
    ///   - experiment: the experiment in the query; nil for any.
    ///   - kept: attributes that the recipe's responses have.
    init(_ query: RunResultsQuery, experiment: Identifier? = nil, kept: [Identifier] = [], in app: AppSnapshot) {
        (self.query, asked, self.kept) = (query, experiment, kept)
        branches = app.recipes.values.flatMap(\.facts.branches)
        experiments = app.recipes.values.filter { $0.published == nil }.map(\.stored.slug)
    }

    /// The parameter that names an attribute, and the attribute's name. Nil if there is none, or if the recipe keeps
    /// the attribute.
    private var attribute: (parameter: String, name: Identifier)? {
        var named: (parameter: String, name: Identifier)?
        if let attribute = query.attribute { named = ("attr.\(attribute.name)", attribute.name) }
        if case .attribute(let name)? = query.breakdown { named = ("by", name) }
        return named.flatMap { entry in kept.contains(entry.name) ? nil : entry }
    }

    /// The branch of the query; nil if there is none, or if an experiment has it.
    private var branch: Identifier? {
        guard let branch = query.branch else { return nil }
        let own = branch.text.split(separator: "/", maxSplits: 1).last.map { Identifier($0) } ?? branch
        return branches.contains(branch) || branches.contains(own) ? nil : branch
    }

    /// The experiment of the query; nil if there is none, or if the app has it.
    private var experiment: Identifier? {
        asked.flatMap { asked in experiments.contains(asked) ? nil : asked }
    }

    /// Completes with a fault for each name that no response has.
    func check(
        in store: Persistence, _ results: some RunResults,
        _ completion: @escaping @Sendable (Result<[Finding], StoreError>) -> Void
    ) {
        let (attribute, branch, experiment) = (attribute, branch, experiment)
        guard attribute != nil || branch != nil || experiment != nil else { return completion(.success([])) }
        var all = RunResultsQuery(app: query.app, slug: query.slug)
        all.breakdown = attribute.map { .attribute($0.name) }
        store.readResults(all, into: results) { [kept] outcome in
            completion(
                outcome.map { results in
                    Self.faults(attribute, kept, results.json) + Self.faults(branch, experiment, results.json)
                })
        }
    }

    private static func fault(_ parameter: String, _ message: String) -> Finding {
        Finding(pointer: .parameter(parameter), code: "choice", message: message)
    }

    private static func faults(
        _ attribute: (parameter: String, name: Identifier)?, _ kept: [Identifier], _ all: JSONObject
    ) -> [Finding] {
        let breakdown = all["by"]?.object ?? [:]
        guard let attribute, breakdown["groups"] == [], breakdown["is_complete"] == true else { return [] }
        let names = kept.isEmpty ? "none" : kept.map(\.text).joined(separator: ", ")
        return [
            fault(
                attribute.parameter,
                "the recipe keeps no attribute \"\(attribute.name)\", and no response has it; it keeps: \(names)")
        ]
    }

    private static func faults(_ branch: Identifier?, _ experiment: Identifier?, _ all: JSONObject) -> [Finding] {
        let known = (all["branches"]?.array ?? []).compactMap(\.object).map { entry in
            (experiment: entry["experiment"]?.identifier ?? "", branch: entry["branch"]?.identifier ?? "")
        }
        let names = known.map { "\($0.experiment)/\($0.branch)" }
        let responses = "responses are of: \(names.isEmpty ? "none" : names.joined(separator: ", "))"
        var faults: [Finding] = []
        if let branch, !known.contains(where: { branch == $0.branch || branch == "\($0.experiment)/\($0.branch)" }) {
            faults.append(fault("branch", "no experiment has the branch \"\(branch)\"; \(responses)"))
        }
        if let experiment, !known.contains(where: { $0.experiment == experiment }) {
            faults.append(fault("experiment", "there is no experiment \"\(experiment)\"; \(responses)"))
        }
        return faults
    }
}
