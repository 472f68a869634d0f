import Glibc
import Testing

@testable import EventLoop

struct MailboxTests {
    private func isReadable(_ mailbox: Mailbox<Int>) -> Bool {
        var watched = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) == 1
    }

    @Test func `Messages are taken together, in their order`() throws {
        let mailbox = try Mailbox<Int>()
        #expect(!isReadable(mailbox))
        for number in 0..<10 { mailbox.post(number) }
        #expect(isReadable(mailbox))
        #expect(mailbox.take() == Array(0..<10))
        #expect(!isReadable(mailbox))
        #expect(mailbox.take() == [])
        mailbox.post(10)
        #expect(isReadable(mailbox))
    }

    @Test func `A closed mailbox returns what nobody took and refuses the rest`() throws {
        let mailbox = try Mailbox<Int>()
        #expect(mailbox.post(1))
        #expect(mailbox.close() == [1])
        #expect(!mailbox.post(2))
        #expect(mailbox.take() == [])
    }

    @Test func `Posts from several threads all arrive`() throws {
        let mailbox = try Mailbox<Int>()
        for thread in 0..<4 {
            #expect(WorkerThread.start { for number in 0..<1000 { mailbox.post(thread * 1000 + number) } })
        }
        var received: [Int] = []
        while received.count < 4000 { received += mailbox.wait() }
        #expect(Set(received) == Set(0..<4000))
        for thread in 0..<4 {
            let own = received.filter { $0 / 1000 == thread }
            #expect(own == own.sorted())
        }
    }
}
