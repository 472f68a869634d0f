import BellwetherBase
import BellwetherService
import Synchronization
import Testing

/// When backups are made (docs/operators-guide.md#backups-on-schedule).
@Suite struct ScheduledBackupsTests {
    private static let start = Timestamp(seconds: 1_790_000_000)

    /// A folder of backups in memory, and the clock.
    private final class Folder: BackupSeries {
        private struct State {
            var now = ScheduledBackupsTests.start
            var made: [Timestamp] = []
            var fault: StoreError?
        }

        private let state = Mutex(State())

        var made: [Int64] { state.withLock { $0.made.map { $0.seconds - ScheduledBackupsTests.start.seconds } } }
        var clock: Clock { Clock { self.state.withLock { $0.now } } }

        func set(_ seconds: Int64) { state.withLock { $0.now = ScheduledBackupsTests.start.adding(seconds: seconds) } }
        func fail(_ fault: StoreError?) { state.withLock { $0.fault = fault } }

        func newest() -> Timestamp? { state.withLock { $0.made.max() } }

        func add(at now: Timestamp) throws(StoreError) -> BackupReport {
            if let fault = state.withLock({ $0.fault }) { throw fault }
            state.withLock { $0.made.append(now) }
            let facts = BackupFacts(bytes: 4096, cursor: .start, audit: AuditChain(), auditFault: nil)
            return BackupReport(path: "backup", facts: facts, hasSecret: true)
        }

        func stop() {}
    }

    /// The backups of a process that has just started. Its jobs run in place.
    private func backups(in folder: Folder, every seconds: Int64 = 3600) -> ScheduledBackups {
        let queue = BackgroundQueue { body in
            body()
            return true
        }
        return ScheduledBackups(.made(folder, every: seconds), clock: folder.clock, queue: queue)
    }

    private func look(_ backups: ScheduledBackups, _ folder: Folder, at seconds: [Int64]) {
        for second in seconds {
            folder.set(second)
            backups.look()
        }
    }

    @Test func `One is made soon after the start, and the next one when it is as old as the interval`() {
        let folder = Folder()
        let backups = backups(in: folder)
        look(backups, folder, at: [0, 1, 2, 3600, 3601, 7200, 7201])
        #expect(folder.made == [1, 3601, 7201])
        #expect(backups.status.newest == Self.start.adding(seconds: 7201) && backups.status.bytes == 4096)
    }

    @Test func `A restart makes no further one`() {
        let folder = Folder()
        look(backups(in: folder), folder, at: [0, 1])
        let next = backups(in: folder)
        look(next, folder, at: [100, 101, 3600])
        #expect(folder.made == [1])
        #expect(next.ageSeconds == 3599 && next.isLate == false)
        look(next, folder, at: [3601])
        #expect(folder.made == [1, 3601])
    }

    @Test func `After a failure it tries again in ten minutes, and the older backup still counts`() {
        let folder = Folder()
        let backups = backups(in: folder)
        look(backups, folder, at: [0, 1])
        folder.fail(.unusable("the disk is full"))
        look(backups, folder, at: [3601, 3602, 4200])
        #expect(backups.status.failure == "the disk is full" && backups.isLate == true)
        #expect(backups.ageSeconds == 4199)
        folder.fail(nil)
        look(backups, folder, at: [4200, 4201, 4202])
        #expect(folder.made == [1, 4201] && backups.status.failure == nil && backups.isLate == false)
    }

    @Test func `It is late once the newest is older than two intervals`() {
        let folder = Folder()
        let backups = backups(in: folder)
        #expect(backups.isLate == false && backups.ageSeconds == nil)
        look(backups, folder, at: [0, 1])
        folder.set(7201)
        #expect(backups.isLate == false)
        folder.set(7202)
        #expect(backups.isLate == true)
    }

    @Test func `Backups of other tools are looked at every ten minutes, and are never late`() {
        let folder = Folder()
        let queue = BackgroundQueue { body in
            body()
            return true
        }
        let looks = Mutex(0)
        let backups = ScheduledBackups(
            .otherTools { () throws(StoreError) in
                let count = looks.withLock { count in
                    count += 1
                    return count
                }
                if count == 3 { throw .unavailable("the database is down") }
                return Self.start.adding(seconds: -60)
            }, clock: folder.clock, queue: queue)
        look(backups, folder, at: [0, 1, 599])
        #expect(looks.withLock(\.self) == 1 && backups.ageSeconds == 659)
        look(backups, folder, at: [600, 1200])
        #expect(looks.withLock(\.self) == 3 && backups.status == ScheduledBackups.Status())
        look(backups, folder, at: [1800])
        #expect(backups.ageSeconds == 1860 && backups.isLate == nil)
    }

    /// A clock that was wrong, and was set right: backups of the future must not prevent others for years.
    @Test func `A clock that is set back by more than the interval makes one due`() {
        let folder = Folder()
        let backups = backups(in: folder)
        look(backups, folder, at: [100_000, 100_001])
        look(backups, folder, at: [99_000])
        #expect(folder.made == [100_001] && backups.ageSeconds == 0)
        look(backups, folder, at: [0])
        #expect(folder.made == [100_001, 0])
    }
}
