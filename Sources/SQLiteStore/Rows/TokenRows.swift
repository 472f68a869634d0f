internal import BellwetherBase
import BellwetherCore
import BellwetherService
import GRDB

/// Table `token`: the tokens that the daemon made, by the digests of their texts.
struct TokenRows {
    /// Revoked tokens beyond so many are forgotten, the oldest first; the audit still tells of them.
    static let revokedBound: Int64 = 1000

    private let database: Database

    init(_ database: Database) { self.database = database }

    func load() throws -> [StoredToken] {
        try Prepared(
            database,
            """
            SELECT digest, name, scope, app, created_at, expires_at, last_used_at, revoked_at, web
            FROM token ORDER BY key
            """
        ).all { row in
            guard let scope = Scope(rawValue: row.text(2)) else {
                throw RowFault.unreadable("the scope of token \(row.text(1))")
            }
            var token = StoredToken(
                name: row.text(1), scope: scope, app: row.text(3), isWeb: row.integer(8) != 0,
                digest: row.bytes(0), createdAt: Timestamp(milliseconds: row.integer(4)), expiresAt: row.optionalTime(5)
            )
            token.lastUsedAt = row.optionalTime(6)
            token.revokedAt = row.optionalTime(7)
            return token
        }
    }

    func apply(_ change: TokenChange) throws {
        switch change {
        case .issue(let token): try insert(token)
        case .revoke(let token, let time): try revoke(token.digest, at: time)
        case .use(let digest, let time): try noteUse(digest, at: time)
        }
    }

    private func insert(_ token: StoredToken) throws {
        try Prepared(
            database,
            """
            INSERT INTO token (digest, name, scope, app, created_at, expires_at, web) VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            .blob(token.digest), .text(token.name), .text(token.scope.rawValue), .text(token.app),
            .integer(token.createdAt.milliseconds), .time(token.expiresAt), .integer(token.isWeb ? 1 : 0))
        try Prepared(
            database,
            """
            DELETE FROM token WHERE revoked_at IS NOT NULL AND key <=
                (SELECT key FROM token WHERE revoked_at IS NOT NULL ORDER BY key DESC LIMIT 1 OFFSET ?)
            """
        ).run(.integer(Self.revokedBound))
    }

    private func revoke(_ digest: [UInt8], at time: Timestamp) throws {
        try Prepared(database, "UPDATE token SET revoked_at = ? WHERE digest = ? AND revoked_at IS NULL")
            .run(.integer(time.milliseconds), .blob(digest))
    }

    private func noteUse(_ digest: [UInt8], at time: Timestamp) throws {
        try Prepared(database, "UPDATE token SET last_used_at = ? WHERE digest = ?")
            .run(.integer(time.milliseconds), .blob(digest))
    }
}

extension SQLRow {
    fileprivate func optionalTime(_ column: Int32) -> Timestamp? {
        optionalInteger(column).map(Timestamp.init(milliseconds:))
    }
}

extension SQLValue {
    fileprivate static func time(_ time: Timestamp?) -> SQLValue { time.map { .integer($0.milliseconds) } ?? .null }
}
