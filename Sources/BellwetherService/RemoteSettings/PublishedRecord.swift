internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A served record: the document as its author wrote it, with the members of a record.
public struct PublishedRecord: Sendable {
    public let app: Identifier
    public let stored: StoredRecord
    public let members: JSONObject
    /// The members as JSON.
    public let bytes: [UInt8]

    public var isDeleted: Bool { stored.content == .deleted }
    public var lastModified: Int64 { stored.lastModified }

    /// A tombstone.
    init(deleted stored: StoredRecord, app: Identifier) {
        self.init(
            app: app, stored: stored,
            members: [
                "id": .string(stored.id), "last_modified": .integer(stored.lastModified), "deleted": true,
            ])
    }

    /// A record that shows a recipe. `schema` is a number in Remote Settings, too, that changes with the form of the
    /// records. It is the document's own, otherwise the time at which its revision was published. A paused recipe has
    /// the only form that phones know for it: enrolled clients stay, and no other client enrolls.
    init(_ stored: StoredRecord, app: Identifier, showing recipe: LoadedRecipe) {
        var members = recipe.recipe.documentForClients ?? recipe.recipe.document.object ?? [:]
        members["id"] = .string(stored.id)
        members["last_modified"] = .integer(stored.lastModified)
        if members["schema"] == nil {
            members["schema"] = .integer(recipe.stored.served.publishedAt.milliseconds)
        }
        if recipe.stored.state == .paused { members["isEnrollmentPaused"] = true }
        // Only a tombstone has this member.
        members["deleted"] = nil
        self.init(app: app, stored: stored, members: members)
    }

    private init(app: Identifier, stored: StoredRecord, members: JSONObject) {
        self.app = app
        self.stored = stored
        self.members = members
        bytes = JSONValue.object(members).encoded
    }
}
