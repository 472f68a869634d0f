internal import BellwetherService
internal import Surveys

/// The settings of places (docs/reference/flows.md#locations).
struct LocationSettings {
    /// The paths of the files; empty for none.
    let cities: String
    let regions: String
    /// The provider of addresses; nil for none.
    private(set) var addresses: AddressProvider.Source?

    /// - Parameter properties: The mappings, each in the form `MEMBER=PROPERTY`.
    init(
        cities: String, regions: String, addresses url: String, secret: String, properties: [String],
        _ faults: inout [String]
    ) {
        (self.cities, self.regions) = (cities, regions)
        var pairs: [String: String] = [:]
        for (position, text) in properties.enumerated() {
            let parts = text.split(separator: "=", maxSplits: 1)
            if parts.count == 2 {
                pairs[String(parts[0])] = String(parts[1])
            } else {
                faults.append("locations.addresses.properties: entry \(position + 1) is not MEMBER=PROPERTY")
            }
        }
        guard !url.isEmpty else {
            if !secret.isEmpty || !pairs.isEmpty { faults.append("locations.addresses.url is missing") }
            return
        }
        do throws(AddressTemplate.Fault) {
            let template = try AddressTemplate(url, hasKey: !secret.isEmpty, properties: pairs)
            let sample = template.url(for: LocationQuery("x"), key: "x")
            guard WebhookURL(sample) != nil else { throw AddressTemplate.Fault(setting: "url", reason: "it is no URL") }
            addresses = AddressProvider.Source(template, secretName: secret.isEmpty ? nil : secret)
        } catch {
            faults.append("locations.addresses.\(error.setting): \(error.reason)")
        }
    }
}
