internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// The rules that hold between segments and the documents that read them (docs/reference/audiences.md#segments).
extension CatalogEditor {
    /// Refuses a recipe, or its removal, that breaks a rule of segments. It is called before the recipe is written.
    ///
    /// - Parameter next: the recipe as it is to be; nil if it is deleted.
    func guardSegments(_ next: LoadedRecipe?, over current: LoadedRecipe?, in app: Identifier) throws(PublishRefusal) {
        guard let parts = apps[app], let slug = (next ?? current)?.stored.slug else { return }
        if next?.recipe.segment != nil, current?.recipe.segment == nil {
            let count = parts.recipes.values.count { $0.recipe.segment != nil }
            guard count < Segment.maximumNumber else {
                throw .faults(
                    [
                        Finding(
                            pointer: .root, code: "too_many",
                            message: "an app has at most \(Segment.maximumNumber) segments")
                    ], warnings: [])
            }
        }
        guard let after = next?.segmentInForce else {
            if current?.segmentInForce != nil { try guardUnused("segment.\(slug)", in: app, except: slug) }
            return
        }
        guard after != current?.segmentInForce else { return }
        if let fault = SegmentGraph(live: parts.liveRecipes).fault(of: after, as: slug) {
            throw .faults([fault], warnings: [])
        }
    }

    /// Refuses that a segment or a list goes while a document in force reads it.
    ///
    /// - Parameter reference: `segment.NAME` or `list.NAME`.
    func guardUnused(_ reference: String, in app: Identifier, except slug: Identifier? = nil) throws(PublishRefusal) {
        let users = apps[app]?.users(of: reference).filter { $0 == nil || $0 != slug } ?? []
        guard users.isEmpty else { throw .inUse(users) }
    }

    /// Refuses a manifest that declares an attribute `segment`, `list` or `answer`, while the app has what the word
    /// stands for.
    func guardWords(of manifest: Manifest, in app: Identifier) throws(PublishRefusal) {
        guard let parts = apps[app] else { return }
        let words = manifest.audienceScope.attributes.subtracting(parts.manifest.audienceScope.attributes)
        let faults = words.filter { parts.reads($0) }.map(\.rawValue).sorted().map { word in
            Finding(
                pointer: JSONPointer(tokens: ["attributes", word]), code: "reserved",
                message: "expressions of this app read \(word).NAME, so no attribute can have this name")
        }
        guard faults.isEmpty else { throw .faults(faults, warnings: []) }
    }

    /// Begins a period of the goals of each recipe whose targeting changes with a segment
    /// (docs/reference/goals.md#periods).
    mutating func followSegments(in app: Identifier, formerly former: [String: Segment]) {
        guard let parts = apps[app] else { return }
        let segments = parts.segmentsInForce
        guard segments != former else { return }
        for (slug, recipe) in parts.recipes.sorted(by: { $0.key < $1.key }) where recipe.isInForce {
            guard let targeting = recipe.recipe.experiment?.targeting,
                segments.read(by: targeting) != former.read(by: targeting)
            else { continue }
            var periods = parts.periods[slug] ?? LoadedPeriods()
            guard periods.follow(recipe.recipe, after: recipe.recipe, at: now, isRetargeted: true) else { continue }
            edit(app) { $0.periods[slug] = periods }
            note(.periods(app: app, slug: slug, periods.stored))
        }
    }
}

extension LoadedRecipe {
    /// The segment, if expressions can read it.
    var segmentInForce: Segment? { isLive ? recipe.segment : nil }
}

extension EditableApp {
    /// The segments in force, by name.
    var segmentsInForce: [String: Segment] {
        recipes.values.reduce(into: [:]) { segments, recipe in
            recipe.segmentInForce.map { segments[recipe.stored.slug.text] = $0 }
        }
    }

    fileprivate var liveRecipes: [Recipe] { recipes.values.filter(\.isLive).map(\.recipe) }

    /// Whether the app has anything that a word stands for.
    fileprivate func reads(_ word: AudienceScope.Word) -> Bool {
        switch word {
        case .segment: recipes.values.contains { $0.recipe.segment != nil }
        case .list: !lists.isEmpty
        case .answer: recipes.values.contains { $0.recipe.document.object?["facts"] != nil }
        }
    }

    /// The documents in force that read a segment or a list.
    func users(of reference: String) -> [Identifier?] { AudienceUsers(recipes.values, manifest)[reference] }
}

/// The documents in force that read segments, lists and facts, by what they read: slugs in byte order, then nil for the
/// manifest.
struct AudienceUsers {
    private var users: [String: [Identifier?]] = [:]

    init(_ recipes: some Sequence<LoadedRecipe>, _ manifest: Manifest) {
        for recipe in recipes.filter(\.isInForce).sorted(by: { $0.stored.slug < $1.stored.slug }) {
            for name in AudienceReferences(of: recipe.recipe, under: manifest).names {
                users[name, default: []].append(recipe.stored.slug)
            }
        }
        for name in AudienceReferences(of: manifest).names { users[name, default: []].append(nil) }
    }

    subscript(reference: String) -> [Identifier?] { users[reference] ?? [] }
}

extension [String: Segment] {
    /// Those that an expression, which was compiled without segments, reads directly or within others.
    fileprivate func read(by expression: CompiledExpression) -> [String: Segment] {
        var read: [String: Segment] = [:]
        var names = expression.names(after: .segment)
        while let name = names.popLast() {
            guard read[name] == nil, let segment = self[name] else { continue }
            read[name] = segment
            names += segment.segments
        }
        return read
    }
}
