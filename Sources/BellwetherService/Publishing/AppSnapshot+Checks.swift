public import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore

extension AppSnapshot {
    /// What a document of the app is checked against.
    public var checkContext: CheckContext { CheckContext(strings: strings, live: compiledApp) }
}

extension CatalogEditor {
    /// As the app is before the change, so that a PUT is told what `validate` tells.
    func checkContext(of app: String) -> CheckContext {
        snapshots[app]?.checkContext ?? CheckContext(strings: StringTables(defaultLocale: "en", locales: [:]))
    }
}
