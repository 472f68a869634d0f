public import BellwetherAuthoring
public import BellwetherCore
public import BellwetherJSON

/// Reads a manifest that is being published. Publishing and `bellwether check` both read manifests here.
public enum ManifestIntake {
    /// Reports every fault. The result may be used only if there is none.
    ///
    /// - Parameters:
    ///   - context: the context of checks beyond types; nil if the manifest is only read.
    ///   - isStored: whether the manifest was published before. Then its mistakes do not refuse it.
    public static func read(
        _ document: JSONValue, in context: CheckContext?, isStored: Bool = false, findings: Findings
    ) -> Manifest? {
        defer { findings.settle(isStored: isStored) }
        let manifest = Manifest.read(document, findings: findings)
        if let messaging = JSONReader(document, findings: findings).optional("messaging") {
            QuotaCheck.checkConditions(inMessaging: messaging, findings: findings)
        }
        if let manifest, let context { DocumentCheck.check(manifest, in: context, findings: findings) }
        return manifest
    }
}
