internal import BellwetherJSON

/// The values of a set of layers, merged over the manifest's (nimbus-messaging.md G, "Merging"): recipes over one
/// another as JSON, whatever its types; what that comes to, read as the SDK reads it, over the defaults.
///
/// So a null in a recipe that meets an earlier recipe's key takes that away, and leaves the manifest's.
struct CatalogMerge {
    let messages: JSONObject
    let styles: JSONObject
    let triggers: JSONObject
    let actions: JSONObject
    let onControl: OnControl

    /// Layers are all rollouts here, in canonical order: the later one wins.
    init(manifest: Manifest, layers: [CatalogLayer]) {
        let recipes = manifest.vocabulary.reading(JSONPatch.merge(layers.map(\.value)))
        let merged = JSONPatch.merge(recipes, over: manifest.baseMessaging)
        messages = merged["messages"]?.object ?? [:]
        styles = merged["styles"]?.object ?? [:]
        triggers = merged["triggers"]?.object ?? [:]
        actions = merged["actions"]?.object ?? [:]
        onControl = merged["on-control"]?.string.flatMap(OnControl.init) ?? .showNextMessage
    }
}
