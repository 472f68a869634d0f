internal import BellwetherCore

extension CatalogEditor {
    mutating func putStrings(_ app: String, _ locale: String, _ text: [UInt8]) throws(PublishRefusal)
        -> PublishReceipt
    {
        try guardSpelling(of: app, strings: locale)
        guard let parts = apps[app] else { throw .unknownApp }
        let current = parts.strings[locale]?.document
        try guardWrite(of: .strings(locale: locale), in: app)
        let read = try reading.strings(text, locale: locale)
        guard let document = takeRevision(of: .strings(locale: locale), in: app, text, retired: nil) else {
            return PublishReceipt(
                effect: .unchanged, revision: current?.revision ?? 1, state: toldState, warnings: read.warnings)
        }
        edit(app) { $0.strings[locale] = PublishedStrings(tables: read.content, document: document) }
        dropDraft(of: .strings(locale: locale), in: app)
        note(.strings(app: app, locale: locale, document))
        return PublishReceipt(
            effect: current == nil ? .created : .changed, revision: document.revision, state: toldState,
            warnings: read.warnings)
    }

    mutating func deleteStrings(_ app: String, _ locale: String) throws(PublishRefusal) {
        try guardSpelling(of: app, strings: locale)
        guard let parts = apps[app] else { throw .unknownApp }
        guard version(of: .strings(locale: locale), in: app) != nil else { throw .notFound }
        try guardWrite(of: .strings(locale: locale), in: app)
        dropDraft(of: .strings(locale: locale), in: app)
        if parts.strings[locale] != nil { edit(app) { $0.strings[locale] = nil } }
        note(.deleteStrings(app: app, locale: locale))
    }
}
