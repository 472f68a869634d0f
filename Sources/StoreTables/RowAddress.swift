internal import BellwetherCore
public import BellwetherJSON
public import BellwetherService
internal import Surveys

/// The table that has a row, and the row's key as texts. A head is the row of the audit or the catalog.
public struct RowAddress {
    /// Nil for a head.
    public let table: StoreTable?
    public let keys: [Identifier]
    /// The app of the data that a write of the row adds; nil if it adds none of an app.
    public let app: Identifier?

    public init(_ name: RowName) {
        if let small = SmallRow(name) {
            (table, keys, app) = (.small, [Identifier(small.kind.rawValue), small.app ?? "", small.key], small.app)
            return
        }
        (table, keys) =
            switch name {
            case .client(let client): (.client, [client.app, client.id])
            case .user(let user): (.user, [user.app, user.id])
            case .answer(let client, let message): (.answer, [client.app, client.id, message])
            case .reply(let key): (.reply, [key.token, key.path, key.text])
            case .run(let run): (.run, [run.app, run.id])
            case .currentRun(let app, let slug, let respondent): (.currentRun, [app, slug, respondent])
            case .webhook(let id): (.webhook, [id])
            case .audit: (nil, ["audit"])
            case .catalog: (nil, ["catalog"])
            case .document(let app, let name): (.document, [app, name.locale ?? ""])
            case .draft(let app, let name): (.draft, [app, name.locale ?? ""])
            case .recipe(let app, let slug): (.recipe, [app, slug])
            case .revision(let app, let slug, let number): (.revision, [app, slug, "\(number)"])
            case .file(let file): (.file, [file.app, file.sha256])
            case .tally, .counts, .cell, .periods, .definitions, .forecast, .runList, .alias, .lease, .consumer, .note,
                .list, .listBucket, .listKey, .token:
                (.small, ["", "", ""])
            }
        app =
            switch table {
            case .client, .user, .answer, .run, .currentRun: keys[0]
            default: nil
            }
    }
}
