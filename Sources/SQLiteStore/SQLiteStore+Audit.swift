public import BellwetherService

extension SQLiteStore {
    /// In turn with reads of telemetry.
    public func readAudit(
        _ query: AuditQuery, _ completion: @escaping @Sendable (Result<[AuditRecord], StoreError>) -> Void
    ) {
        readLog(completion) { try AuditRows($0).page(query) }
    }
}
