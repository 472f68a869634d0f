import Glibc
import Testing

@testable import ObjectStore

/// Which addresses only the requests to a metadata service may go to.
@Suite struct LinkLocalTests {
    @Test(
        arguments: [
            ("169.254.169.254", true), ("169.254.0.1", true), ("169.253.1.1", false), ("127.0.0.1", false),
            ("fe80::1", true), ("febf::1", true), ("fec0::1", false), ("::ffff:169.254.169.254", true),
            ("::ffff:10.0.0.1", false), ("::1", false),
        ])
    func `Link-local addresses are known`(_ text: String, _ isLinkLocal: Bool) throws {
        var found: Bool?
        if text.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            #expect(inet_pton(AF_INET6, text, &address.sin6_addr) == 1)
            found = withUnsafeBytes(of: &address) { ResponseReceiver.isLinkLocal(AF_INET6, $0) }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            #expect(inet_pton(AF_INET, text, &address.sin_addr) == 1)
            found = withUnsafeBytes(of: &address) { ResponseReceiver.isLinkLocal(AF_INET, $0) }
        }
        #expect(found == isLinkLocal)
    }
}
