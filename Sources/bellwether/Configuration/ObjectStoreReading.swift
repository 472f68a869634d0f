internal import FoundationEssentials
internal import ObjectStore

/// Reads the address of an object store and the source of its credentials, from settings or from the options of a
/// command (docs/operators-guide.md#object-store).
struct ObjectStoreReading {
    /// An address such as `s3://bucket/prefix`.
    let text: String
    let endpoint: String
    let region: String
    /// Whether the style of paths is used for AWS, too.
    let isPathStyle: Bool
    let credentials: String
    let credentialsFile: String

    /// Throws the fault as a text without the name of the setting.
    func access() throws(Fault) -> ObjectStoreAccess {
        guard ["", "instance"].contains(credentials) else {
            throw Fault(sentence: "credentials is instance, or not set")
        }
        do {
            let address = try ObjectStoreAddress(
                reading: text, endpoint: endpoint, region: region, isPathStyle: isPathStyle ? true : nil)
            let chain = ObjectCredentialChain(
                credentialsFile: credentialsFile, environment: ProcessInfo.processInfo.environment,
                asksInstance: credentials == "instance")
            _ = try chain.source()
            return ObjectStoreAccess(address: address, credentials: chain)
        } catch let fault as ObjectStoreAddress.Fault {
            throw Fault(sentence: fault.sentence)
        } catch let fault as ObjectStoreFault {
            throw Fault(sentence: fault.sentence)
        } catch {
            throw Fault(sentence: "\(error)")
        }
    }

    struct Fault: Error {
        let sentence: String
    }
}
