internal import BellwetherAuthoring
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// Checks the attribute, branch and experiment that a query of results or responses names. Responses may have names of
/// an earlier revision, which the live recipe no longer has (docs/reference/surveys.md#breakdowns).
struct ResultNames {
    private let query: RunResultsQuery
    private let asked: String?
    private let kept: [String]
    /// The branches of the app's experiments.
    private let branches: [String]
    private let experiments: [String]

    /// - Parameters:
    ///   - experiment: the experiment in the query; nil for any.
    ///   - kept: attributes that the recipe's responses have.
    init(_ query: RunResultsQuery, experiment: String? = nil, kept: [String] = [], in app: AppSnapshot) {
        (self.query, asked, self.kept) = (query, experiment, kept)
        branches = app.recipes.values.flatMap(\.facts.branches)
        experiments = app.recipes.values.filter { $0.published == nil }.map(\.stored.slug)
    }

    /// The parameter that names an attribute, and the attribute's name. Nil if there is none, or if the recipe keeps
    /// the attribute.
    private var attribute: (parameter: String, name: String)? {
        var named: (parameter: String, name: String)?
        if let attribute = query.attribute { named = ("attr." + attribute.name, attribute.name) }
        if case .attribute(let name)? = query.breakdown { named = ("by", name) }
        return named.flatMap { entry in kept.contains(bytesOf: entry.name) ? nil : entry }
    }

    /// The branch of the query; nil if there is none, or if an experiment has it.
    private var branch: String? {
        guard let branch = query.branch else { return nil }
        let own = branch.split(separator: "/", maxSplits: 1).last.map(String.init) ?? branch
        return branches.contains { $0.hasSameBytes(as: branch) || $0.hasSameBytes(as: own) } ? nil : branch
    }

    /// The experiment of the query; nil if there is none, or if the app has it.
    private var experiment: String? {
        asked.flatMap { asked in experiments.contains(bytesOf: asked) ? nil : asked }
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
        _ attribute: (parameter: String, name: String)?, _ kept: [String], _ all: JSONObject
    ) -> [Finding] {
        let breakdown = all["by"]?.object ?? [:]
        guard let attribute, breakdown["groups"] == [], breakdown["is_complete"] == true else { return [] }
        let names = kept.isEmpty ? "none" : kept.joined(separator: ", ")
        return [
            fault(
                attribute.parameter,
                "the recipe keeps no attribute \"\(attribute.name)\", and no response has it; it keeps: \(names)")
        ]
    }

    private static func faults(_ branch: String?, _ experiment: String?, _ all: JSONObject) -> [Finding] {
        let known = (all["branches"]?.array ?? []).compactMap(\.object).map { entry in
            [entry["experiment"]?.string ?? "", entry["branch"]?.string ?? ""]
        }
        let names = known.map { $0.joined(separator: "/") }
        let responses = "responses are of: \(names.isEmpty ? "none" : names.joined(separator: ", "))"
        func has(_ names: [String], _ name: String) -> Bool { names.contains(bytesOf: name) }
        var faults: [Finding] = []
        if let branch, !has(names + known.map { $0[1] }, branch) {
            faults.append(fault("branch", "no experiment has the branch \"\(branch)\"; \(responses)"))
        }
        if let experiment, !has(known.map { $0[0] }, experiment) {
            faults.append(fault("experiment", "there is no experiment \"\(experiment)\"; \(responses)"))
        }
        return faults
    }
}
