internal import BellwetherCore
internal import BellwetherJSON

/// What a publish makes malformed, in its own document or in others that lived on what it took away.
extension CatalogEditor {
    func malformedKeys(of app: String) -> Set<String> {
        Set(snapshots[app]?.catalog.malformed.map(\.facts.key) ?? [])
    }

    func oversizedKeys(of app: String) -> Set<String> { Set(snapshots[app]?.catalog.oversized ?? []) }

    /// A message that recipes patch in more ways than the daemon keeps variants of could not be served: what would make
    /// it so is refused.
    func refuseOversized(_ request: PublishRequest, before: Set<String>) throws(PublishRefusal) {
        guard let snapshot = snapshots[request.app] else { return }
        let place = MessageLocations(request.change, in: snapshot)
        let faults = snapshot.catalog.oversized.filter { !before.contains($0) }.prefix(Findings.maximum).map { key in
            Finding(
                pointer: place.pointer(to: key), code: "too_many_forms",
                message: "the app's recipes patch message \"\(key)\" in too many independent ways to serve them all")
        }
        if !faults.isEmpty { throw .faults(faults, warnings: []) }
    }

    /// Adds a warning for each message that has become malformed, unless a warning at the message says why already.
    func warned(
        _ receipt: PublishReceipt, _ request: PublishRequest, malformedBefore: Set<String>
    ) throws(PublishRefusal) -> PublishReceipt {
        guard receipt.effect != .unchanged, let snapshot = snapshots[request.app] else { return receipt }
        let place = MessageLocations(request.change, in: snapshot)
        var known = Set(receipt.warnings.compactMap { place.message(at: $0.pointer) })
        var warnings: [Finding] = []
        for message in snapshot.catalog.malformed where warnings.count < Findings.maximum {
            let key = message.facts.key
            guard !malformedBefore.contains(key), known.insert(key).inserted else { continue }
            warnings.append(
                Finding(
                    pointer: place.pointer(to: key), code: "malformed",
                    message: "message \"\(key)\" becomes malformed: \(message.reason.sentence)"))
        }
        if reading.isStrict, !warnings.isEmpty { throw .faults(warnings, warnings: []) }
        return PublishReceipt(
            effect: receipt.effect, revision: receipt.revision, state: receipt.state,
            warnings: receipt.warnings + warnings)
    }
}
