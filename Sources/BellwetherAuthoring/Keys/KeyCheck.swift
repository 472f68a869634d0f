internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// Warnings about the keys of documents in other systems' formats (docs/findings.md#keys-of-other-formats).
///
/// A format has all keys of its published schemas and sources, including keys that the daemon stores but does not read.
/// A key that is not in the format is a mistake of the author.
public enum KeyCheck {
    /// Checks a recipe. The members of a messaging value, and Bellwether's own keys, are reported by their readers.
    public static func check(_ document: JSONValue, findings: Findings) {
        let reader = JSONReader(document, findings: findings).tolerant
        guard let object = document.object else { return }
        let kind = object["kind"]?.string.flatMap(ContentKind.init(rawValue:))?.rawValue
        guard let format = Format.all[kind ?? (object["branches"] == nil ? "" : "experiment")] else { return }
        KeyWalk(format: format).check(reader, .object(format.objects[0].name))
    }
}

/// A walk through a document beside its format.
private struct KeyWalk {
    let format: Format

    /// Checks the keys of the objects in a value. A value of another type is reported by its reader.
    func check(_ reader: JSONReader, _ kind: FormatKey.Kind) {
        guard !kind.tables.isEmpty else { return }
        switch kind {
        case .object(let name?), .bag(let name):
            if let object = format[name] { check(reader, object) }
        case .list(let kind):
            guard reader.value.array != nil else { return }
            for element in reader.elements() ?? [] { check(element, kind) }
        case .map(let kind):
            guard reader.value.object != nil else { return }
            for (_, member) in reader.members() ?? [] { check(member, kind) }
        case .either(let one, let other):
            check(reader, one)
            check(reader, other)
        default: break
        }
    }

    private func check(_ reader: JSONReader, _ object: FormatObject) {
        guard object.check != .free, let value = reader.value.object else { return }
        guard let variants = object.variants, variants.layout == .apart else {
            return check(reader, object.known) { refuse($0, of: object, at: reader) }
        }
        let all = object.known.merging(variants.allKnown) { $1 }
        guard let name = value[variants.key]?.string, let own = variants.known[name] else {
            return check(reader, all) { reader.refuse(key: $0, knowing: all.keys) }
        }
        let known = object.known.merging(own) { $1 }
        check(reader, known) { key in
            guard all[key] != nil else { return reader.refuse(key: key, knowing: known.keys) }
            reader.findings.warn(
                "unknown_key", at: reader.pointer.appending(key),
                "nothing reads the key \"\(key)\" of the type \"\(name)\"")
        }
    }

    private func check(
        _ reader: JSONReader, _ keys: [String: FormatKey.Kind], unknown: (_ key: String) -> Void
    ) {
        for (key, member) in reader.members() ?? [] {
            if let index = keys.index(forKey: key), keys[index].key.hasSameBytes(as: key) {
                check(member, keys[index].value)
            } else {
                unknown(key)
            }
        }
    }

    private func refuse(_ key: String, of object: FormatObject, at reader: JSONReader) {
        if let place = object.hints.places[key] {
            reader.refuse(key: key, place: place)
        } else if let other = object.hints.meant[key] {
            reader.refuse(key: key, meaning: other)
        } else if object.check == .open {
            reader.refuseSlip(key: key, knowing: object.known.keys)
        } else if object.check == .recipe, let home = OfferMessaging.home(of: key) {
            reader.refuse(key: key, home: home)
        } else {
            reader.refuse(key: key, knowing: object.known.keys)
        }
    }
}
