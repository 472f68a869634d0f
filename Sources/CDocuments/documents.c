#include "documents.h"

// #embed is C23's; clang takes it in every mode and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char findings[] = {
#embed "../../docs/findings.md"
};
static const unsigned char metrics[] = {
#embed "../../docs/metrics.md"
};
static const unsigned char openapi[] = {
#embed "../../docs/openapi.yaml"
};
static const unsigned char operators_guide[] = {
#embed "../../docs/operators-guide.md"
};
static const unsigned char owners_guide[] = {
#embed "../../docs/owners-guide.md"
};

static const struct bellwether_document documents[] = {
    {"findings.md", findings, sizeof findings},
    {"metrics.md", metrics, sizeof metrics},
    {"openapi.yaml", openapi, sizeof openapi},
    {"operators-guide.md", operators_guide, sizeof operators_guide},
    {"owners-guide.md", owners_guide, sizeof owners_guide},
};

const struct bellwether_document *bellwether_document(size_t index) {
    return index < sizeof documents / sizeof documents[0] ? &documents[index] : NULL;
}
