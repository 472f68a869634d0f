internal import BellwetherCore

/// Many recipes as one publish: compiled once, stored in one transaction, delivered once.
extension CatalogEditor {
    /// Each recipe as a PUT of its own, in the order of the batch; one that is refused changes nothing.
    mutating func putRecipes(_ request: PublishRequest, _ text: [UInt8]) throws(PublishRefusal) -> [RecipeResult] {
        guard apps[request.app] != nil else { throw .unknownApp }
        let batch = try RecipeBatch(text, limits: request.limits)
        let before = malformedKeys(of: request.app)
        var whole = self
        let results = whole.put(batch.entries, request.app)
        whole.compile()
        let isClean = whole.malformedKeys(of: request.app).isSubset(of: before)
        guard reading.isStrict, !isClean else {
            self = whole
            return isClean ? results : warned(results, request.app, malformedBefore: before)
        }
        let kept = putClean(batch.entries[...], request.app, malformedBefore: before)
        compile()
        return kept
    }

    private mutating func put(_ entries: some Sequence<RecipeBatch.Entry>, _ app: String) -> [RecipeResult] {
        entries.map { entry in
            do throws(PublishRefusal) {
                if let refusal = entry.refusal { throw refusal }
                let incoming = RecipeText(slug: entry.slug ?? "", text: entry.text, asDraft: false)
                return RecipeResult(slug: entry.slug, outcome: .success(try putRecipe(app, incoming, nil)))
            } catch {
                return RecipeResult(slug: entry.slug, outcome: .failure(error))
            }
        }
    }

    /// Where a warning is a fault: the recipes that make nothing malformed, found by halving. Recipes of one half may
    /// need one another.
    private mutating func putClean(
        _ entries: ArraySlice<RecipeBatch.Entry>, _ app: String, malformedBefore: Set<String>
    ) -> [RecipeResult] {
        var trial = self
        let results = trial.put(entries, app)
        var compiled = trial
        compiled.compile()
        if compiled.malformedKeys(of: app).isSubset(of: malformedBefore) {
            self = trial
            return results
        }
        guard entries.count > 1 else { return compiled.warned(results, app, malformedBefore: malformedBefore) }
        let middle = entries.startIndex + entries.count / 2
        return putClean(entries[..<middle], app, malformedBefore: malformedBefore)
            + putClean(entries[middle...], app, malformedBefore: malformedBefore)
    }

    /// Warns of each message that has become malformed once: the last recipe that has the message, else the last that
    /// was changed at all, for what it took away or those before it.
    private func warned(_ results: [RecipeResult], _ app: String, malformedBefore: Set<String>) -> [RecipeResult] {
        guard let snapshot = snapshots[app] else { return results }
        let malformed = malformedKeys(of: app)
        var open = malformed.subtracting(malformedBefore)
        var results = results
        var shares: [(index: Int, keys: Set<String>)] = []
        for index in results.indices.reversed() {
            guard let slug = results[index].slug, results[index].isChange else { continue }
            let places = MessagePlaces(.putRecipe(slug: slug, [], asDraft: false), in: snapshot)
            let own = open.filter { places.holds($0) }
            open.subtract(own)
            shares.append((index, own))
        }
        if !shares.isEmpty { shares[0].keys.formUnion(open) }
        for share in shares where !share.keys.isEmpty {
            results[share.index].warn(self, app, malformedBefore: malformed.subtracting(share.keys))
        }
        return results
    }
}

extension RecipeResult {
    fileprivate var isChange: Bool {
        guard case .success(let receipt) = outcome else { return false }
        return receipt.effect != .unchanged
    }

    fileprivate mutating func warn(_ editor: CatalogEditor, _ app: String, malformedBefore: Set<String>) {
        guard let slug, case .success(let receipt) = outcome else { return }
        let request = PublishRequest(app: app, change: .putRecipe(slug: slug, [], asDraft: false))
        do throws(PublishRefusal) {
            outcome = .success(try editor.warned(receipt, request, malformedBefore: malformedBefore))
        } catch {
            outcome = .failure(error)
        }
    }
}
