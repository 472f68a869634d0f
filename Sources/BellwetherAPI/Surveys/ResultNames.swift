internal import BellwetherAuthoring
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// The names in a results query that the recipe does not define: attributes and a branch. They may belong to an earlier
/// revision, which stored responses have (docs/reference/surveys.md#breakdowns).
struct ResultNames {
    private let query: RunResultsQuery
    private let kept: [String]
    private let branches: [String]

    /// - Parameters:
    ///   - kept: The attributes of the recipe's responses.
    ///   - branches: The branches of the app's experiments.
    init(_ query: RunResultsQuery, kept: [String], branches: [String]) {
        (self.query, self.kept, self.branches) = (query, kept, branches)
    }

    /// The parameter that names an attribute, and the attribute's name. Nil if there is none, or if the recipe keeps
    /// the attribute.
    private var attribute: (parameter: String, name: String)? {
        var named: (parameter: String, name: String)?
        if let attribute = query.attribute { named = ("attr." + attribute.name, attribute.name) }
        if case .attribute(let name)? = query.breakdown { named = ("by", name) }
        return named.flatMap { entry in kept.contains { $0.hasSameBytes(as: entry.name) } ? nil : entry }
    }

    /// The branch of the query; nil if there is none, or if an experiment has it.
    private var branch: String? {
        guard let branch = query.branch else { return nil }
        let own = branch.split(separator: "/", maxSplits: 1).last.map(String.init) ?? branch
        return branches.contains { $0.hasSameBytes(as: branch) || $0.hasSameBytes(as: own) } ? nil : branch
    }

    /// Completes with a fault for each name that no response has.
    func check(
        in store: Persistence, _ results: some RunResults,
        _ completion: @escaping @Sendable (Result<[Finding], StoreError>) -> Void
    ) {
        let (attribute, branch) = (attribute, branch)
        guard attribute != nil || branch != nil else { return completion(.success([])) }
        var all = RunResultsQuery(app: query.app, slug: query.slug)
        all.breakdown = attribute.map { .attribute($0.name) }
        store.readResults(all, into: results) { [kept] outcome in
            completion(outcome.map { Self.faults(attribute, branch, kept, $0.json) })
        }
    }

    private static func faults(
        _ attribute: (parameter: String, name: String)?, _ branch: String?, _ kept: [String], _ all: JSONObject
    ) -> [Finding] {
        var faults: [Finding] = []
        func refuse(_ parameter: String, _ message: String) {
            faults.append(Finding(pointer: .parameter(parameter), code: "choice", message: message))
        }
        let breakdown = all["by"]?.object ?? [:]
        if let attribute, breakdown["groups"] == [], breakdown["is_complete"] == true {
            let names = kept.isEmpty ? "none" : kept.joined(separator: ", ")
            refuse(
                attribute.parameter,
                "the recipe keeps no attribute \"\(attribute.name)\", and no response has it; it keeps: \(names)")
        }
        if let branch {
            let known = (all["branches"]?.array ?? []).compactMap(\.object).map { entry in
                [entry["experiment"]?.string ?? "", entry["branch"]?.string ?? ""]
            }
            let names = known.map { $0.joined(separator: "/") }
            if !(names + known.map { $0[1] }).contains(where: { $0.hasSameBytes(as: branch) }) {
                let names = names.isEmpty ? "none" : names.joined(separator: ", ")
                refuse("branch", "no experiment has the branch \"\(branch)\"; responses are of: \(names)")
            }
        }
        return faults
    }
}
