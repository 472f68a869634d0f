/// An address with the source of its credentials.
public struct ObjectStoreAccess: Sendable {
    public let address: ObjectStoreAddress
    public let credentials: ObjectCredentialChain

    public init(address: ObjectStoreAddress, credentials: ObjectCredentialChain) {
        (self.address, self.credentials) = (address, credentials)
    }
}
