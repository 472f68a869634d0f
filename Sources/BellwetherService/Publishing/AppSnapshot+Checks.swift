public import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore

extension AppSnapshot {
    /// The context that a document of the app is checked against.
    public var checkContext: CheckContext { CheckContext(strings: strings, live: compiledApp) }
}

extension CatalogEditor {
    /// The context before the change, so that a PUT has the same findings as `validate`.
    func checkContext(of app: String) -> CheckContext {
        snapshots[app]?.checkContext ?? CheckContext(strings: StringTables(defaultLocale: "en", locales: [:]))
    }
}
