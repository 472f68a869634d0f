// Written by Scripts/embed.
#include "embedded.h"

// #embed is C23's; clang takes it in every mode and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../docs/README.md"
};
static const unsigned char file_1[] = {
#embed "../../docs/coming-from/appdna.md"
};
static const unsigned char file_2[] = {
#embed "../../docs/coming-from/nimbus.md"
};
static const unsigned char file_3[] = {
#embed "../../docs/coming-from/owlmetry.md"
};
static const unsigned char file_4[] = {
#embed "../../docs/coming-from/surveynative.md"
};
static const unsigned char file_5[] = {
#embed "../../docs/console.md"
};
static const unsigned char file_6[] = {
#embed "../../docs/findings.md"
};
static const unsigned char file_7[] = {
#embed "../../docs/first-hour.md"
};
static const unsigned char file_8[] = {
#embed "../../docs/metrics.md"
};
static const unsigned char file_9[] = {
#embed "../../docs/on-device.md"
};
static const unsigned char file_10[] = {
#embed "../../docs/operators-guide.md"
};
static const unsigned char file_11[] = {
#embed "../../docs/owners-guide.md"
};
static const unsigned char file_12[] = {
#embed "../../docs/performance.md"
};
static const unsigned char file_13[] = {
#embed "../../docs/reference/events.md"
};
static const unsigned char file_14[] = {
#embed "../../docs/reference/experiments.md"
};
static const unsigned char file_15[] = {
#embed "../../docs/reference/expressions.md"
};
static const unsigned char file_16[] = {
#embed "../../docs/reference/features.md"
};
static const unsigned char file_17[] = {
#embed "../../docs/reference/flows.md"
};
static const unsigned char file_18[] = {
#embed "../../docs/reference/http-api.md"
};
static const unsigned char file_19[] = {
#embed "../../docs/reference/mcp.md"
};
static const unsigned char file_20[] = {
#embed "../../docs/reference/messaging.md"
};
static const unsigned char file_21[] = {
#embed "../../docs/reference/schemas.md"
};
static const unsigned char file_22[] = {
#embed "../../docs/reference/surveys.md"
};
static const unsigned char file_23[] = {
#embed "../../docs/reference/webhooks.md"
};
static const unsigned char file_24[] = {
#embed "../../docs/reliability.md"
};
static const unsigned char file_25[] = {
#embed "../../docs/web.md"
};
static const unsigned char file_26[] = {
#embed "../../docs/openapi.yaml"
};
static const unsigned char file_27[] = {
#embed "../../config/bellwether.yaml"
};
static const unsigned char file_28[] = {
#embed "../../ARCHITECTURE.md"
};
static const unsigned char file_29[] = {
#embed "../../CONTRIBUTING.md"
};
static const unsigned char file_30[] = {
#embed "../../SECURITY.md"
};
static const unsigned char file_31[] = {
#embed "../../Web/dist/access.js.gz"
};
static const unsigned char file_32[] = {
#embed "../../Web/dist/audit.js.gz"
};
static const unsigned char file_33[] = {
#embed "../../Web/dist/bellwether.js.gz"
};
static const unsigned char file_34[] = {
#embed "../../Web/dist/bellwether.mjs.gz"
};
static const unsigned char file_35[] = {
#embed "../../Web/dist/blocks.js.gz"
};
static const unsigned char file_36[] = {
#embed "../../Web/dist/chat.js.gz"
};
static const unsigned char file_37[] = {
#embed "../../Web/dist/chunk2P3AKO4Q.js.gz"
};
static const unsigned char file_38[] = {
#embed "../../Web/dist/chunk2V3CNN77.js.gz"
};
static const unsigned char file_39[] = {
#embed "../../Web/dist/chunk2V6FJHL7.js.gz"
};
static const unsigned char file_40[] = {
#embed "../../Web/dist/chunkAA44QKTG.js.gz"
};
static const unsigned char file_41[] = {
#embed "../../Web/dist/chunkCTPXF5JH.js.gz"
};
static const unsigned char file_42[] = {
#embed "../../Web/dist/chunkCYZ4Y3O6.js.gz"
};
static const unsigned char file_43[] = {
#embed "../../Web/dist/chunkDSXBPG7R.js.gz"
};
static const unsigned char file_44[] = {
#embed "../../Web/dist/chunkDWEWI6Y7.js.gz"
};
static const unsigned char file_45[] = {
#embed "../../Web/dist/chunkE5UQ43CF.js.gz"
};
static const unsigned char file_46[] = {
#embed "../../Web/dist/chunkIHJTR5UA.js.gz"
};
static const unsigned char file_47[] = {
#embed "../../Web/dist/chunkIUXNCELJ.js.gz"
};
static const unsigned char file_48[] = {
#embed "../../Web/dist/chunkJG5MDTDH.js.gz"
};
static const unsigned char file_49[] = {
#embed "../../Web/dist/chunkJPUEWBLX.js.gz"
};
static const unsigned char file_50[] = {
#embed "../../Web/dist/chunkJSXPTM53.js.gz"
};
static const unsigned char file_51[] = {
#embed "../../Web/dist/chunkKJ6IFYOH.js.gz"
};
static const unsigned char file_52[] = {
#embed "../../Web/dist/chunkKNDQVR6W.js.gz"
};
static const unsigned char file_53[] = {
#embed "../../Web/dist/chunkL3PHWF3B.js.gz"
};
static const unsigned char file_54[] = {
#embed "../../Web/dist/chunkMIVRJIYQ.js.gz"
};
static const unsigned char file_55[] = {
#embed "../../Web/dist/chunkONMDVPFS.js.gz"
};
static const unsigned char file_56[] = {
#embed "../../Web/dist/chunkPE3XISNR.js.gz"
};
static const unsigned char file_57[] = {
#embed "../../Web/dist/chunkRMPDV43T.js.gz"
};
static const unsigned char file_58[] = {
#embed "../../Web/dist/chunkRRZ3XU56.js.gz"
};
static const unsigned char file_59[] = {
#embed "../../Web/dist/chunkSIORFDBZ.js.gz"
};
static const unsigned char file_60[] = {
#embed "../../Web/dist/chunkWMRT7PSQ.js.gz"
};
static const unsigned char file_61[] = {
#embed "../../Web/dist/chunkX32MU3R4.js.gz"
};
static const unsigned char file_62[] = {
#embed "../../Web/dist/chunkXB2F3YLB.js.gz"
};
static const unsigned char file_63[] = {
#embed "../../Web/dist/chunkXZZDDQDM.js.gz"
};
static const unsigned char file_64[] = {
#embed "../../Web/dist/chunkYUOR5U3F.js.gz"
};
static const unsigned char file_65[] = {
#embed "../../Web/dist/code.js.gz"
};
static const unsigned char file_66[] = {
#embed "../../Web/dist/console.css.gz"
};
static const unsigned char file_67[] = {
#embed "../../Web/dist/console.js.gz"
};
static const unsigned char file_68[] = {
#embed "../../Web/dist/de.js.gz"
};
static const unsigned char file_69[] = {
#embed "../../Web/dist/de_access.js.gz"
};
static const unsigned char file_70[] = {
#embed "../../Web/dist/de_answers.js.gz"
};
static const unsigned char file_71[] = {
#embed "../../Web/dist/de_changes.js.gz"
};
static const unsigned char file_72[] = {
#embed "../../Web/dist/de_conditions.js.gz"
};
static const unsigned char file_73[] = {
#embed "../../Web/dist/de_editor.js.gz"
};
static const unsigned char file_74[] = {
#embed "../../Web/dist/de_explain.js.gz"
};
static const unsigned char file_75[] = {
#embed "../../Web/dist/de_keys.js.gz"
};
static const unsigned char file_76[] = {
#embed "../../Web/dist/de_questions.js.gz"
};
static const unsigned char file_77[] = {
#embed "../../Web/dist/de_responses.js.gz"
};
static const unsigned char file_78[] = {
#embed "../../Web/dist/de_results.js.gz"
};
static const unsigned char file_79[] = {
#embed "../../Web/dist/de_review.js.gz"
};
static const unsigned char file_80[] = {
#embed "../../Web/dist/de_run.js.gz"
};
static const unsigned char file_81[] = {
#embed "../../Web/dist/de_texts.js.gz"
};
static const unsigned char file_82[] = {
#embed "../../Web/dist/digests"
};
static const unsigned char file_83[] = {
#embed "../../Web/dist/docs.css.gz"
};
static const unsigned char file_84[] = {
#embed "../../Web/dist/docs.js.gz"
};
static const unsigned char file_85[] = {
#embed "../../Web/dist/docs_ARCHITECTURE.html.gz"
};
static const unsigned char file_86[] = {
#embed "../../Web/dist/docs_CONTRIBUTING.html.gz"
};
static const unsigned char file_87[] = {
#embed "../../Web/dist/docs_README.html.gz"
};
static const unsigned char file_88[] = {
#embed "../../Web/dist/docs_SECURITY.html.gz"
};
static const unsigned char file_89[] = {
#embed "../../Web/dist/docs_coming-from_appdna.html.gz"
};
static const unsigned char file_90[] = {
#embed "../../Web/dist/docs_coming-from_nimbus.html.gz"
};
static const unsigned char file_91[] = {
#embed "../../Web/dist/docs_coming-from_owlmetry.html.gz"
};
static const unsigned char file_92[] = {
#embed "../../Web/dist/docs_coming-from_surveynative.html.gz"
};
static const unsigned char file_93[] = {
#embed "../../Web/dist/docs_console.html.gz"
};
static const unsigned char file_94[] = {
#embed "../../Web/dist/docs_findings.html.gz"
};
static const unsigned char file_95[] = {
#embed "../../Web/dist/docs_first-hour.html.gz"
};
static const unsigned char file_96[] = {
#embed "../../Web/dist/docs_metrics.html.gz"
};
static const unsigned char file_97[] = {
#embed "../../Web/dist/docs_on-device.html.gz"
};
static const unsigned char file_98[] = {
#embed "../../Web/dist/docs_operators-guide.html.gz"
};
static const unsigned char file_99[] = {
#embed "../../Web/dist/docs_owners-guide.html.gz"
};
static const unsigned char file_100[] = {
#embed "../../Web/dist/docs_performance.html.gz"
};
static const unsigned char file_101[] = {
#embed "../../Web/dist/docs_reference_events.html.gz"
};
static const unsigned char file_102[] = {
#embed "../../Web/dist/docs_reference_experiments.html.gz"
};
static const unsigned char file_103[] = {
#embed "../../Web/dist/docs_reference_expressions.html.gz"
};
static const unsigned char file_104[] = {
#embed "../../Web/dist/docs_reference_features.html.gz"
};
static const unsigned char file_105[] = {
#embed "../../Web/dist/docs_reference_flows.html.gz"
};
static const unsigned char file_106[] = {
#embed "../../Web/dist/docs_reference_http-api.html.gz"
};
static const unsigned char file_107[] = {
#embed "../../Web/dist/docs_reference_mcp.html.gz"
};
static const unsigned char file_108[] = {
#embed "../../Web/dist/docs_reference_messaging.html.gz"
};
static const unsigned char file_109[] = {
#embed "../../Web/dist/docs_reference_schemas.html.gz"
};
static const unsigned char file_110[] = {
#embed "../../Web/dist/docs_reference_surveys.html.gz"
};
static const unsigned char file_111[] = {
#embed "../../Web/dist/docs_reference_webhooks.html.gz"
};
static const unsigned char file_112[] = {
#embed "../../Web/dist/docs_reliability.html.gz"
};
static const unsigned char file_113[] = {
#embed "../../Web/dist/docs_search.json.gz"
};
static const unsigned char file_114[] = {
#embed "../../Web/dist/docs_web.html.gz"
};
static const unsigned char file_115[] = {
#embed "../../Web/dist/edit.js.gz"
};
static const unsigned char file_116[] = {
#embed "../../Web/dist/explain.js.gz"
};
static const unsigned char file_117[] = {
#embed "../../Web/dist/fields.js.gz"
};
static const unsigned char file_118[] = {
#embed "../../Web/dist/figures.js.gz"
};
static const unsigned char file_119[] = {
#embed "../../Web/dist/frame.js.gz"
};
static const unsigned char file_120[] = {
#embed "../../Web/dist/health.js.gz"
};
static const unsigned char file_121[] = {
#embed "../../Web/dist/history.js.gz"
};
static const unsigned char file_122[] = {
#embed "../../Web/dist/icons.js.gz"
};
static const unsigned char file_123[] = {
#embed "../../Web/dist/judge.js.gz"
};
static const unsigned char file_124[] = {
#embed "../../Web/dist/lake.svg.gz"
};
static const unsigned char file_125[] = {
#embed "../../Web/dist/llms.txt.gz"
};
static const unsigned char file_126[] = {
#embed "../../Web/dist/look.js.gz"
};
static const unsigned char file_127[] = {
#embed "../../Web/dist/me.js.gz"
};
static const unsigned char file_128[] = {
#embed "../../Web/dist/page.js.gz"
};
static const unsigned char file_129[] = {
#embed "../../Web/dist/people.js.gz"
};
static const unsigned char file_130[] = {
#embed "../../Web/dist/pickers.js.gz"
};
static const unsigned char file_131[] = {
#embed "../../Web/dist/qr.js.gz"
};
static const unsigned char file_132[] = {
#embed "../../Web/dist/render.js.gz"
};
static const unsigned char file_133[] = {
#embed "../../Web/dist/responses.js.gz"
};
static const unsigned char file_134[] = {
#embed "../../Web/dist/results.js.gz"
};
static const unsigned char file_135[] = {
#embed "../../Web/dist/review.js.gz"
};
static const unsigned char file_136[] = {
#embed "../../Web/dist/ridge.svg.gz"
};
static const unsigned char file_137[] = {
#embed "../../Web/dist/sample.css.gz"
};
static const unsigned char file_138[] = {
#embed "../../Web/dist/sample.js.gz"
};
static const unsigned char file_139[] = {
#embed "../../Web/dist/severalnodes.svg.gz"
};
static const unsigned char file_140[] = {
#embed "../../Web/dist/sheet.js.gz"
};
static const unsigned char file_141[] = {
#embed "../../Web/dist/steps.js.gz"
};
static const unsigned char file_142[] = {
#embed "../../Web/dist/summit.svg.gz"
};
static const unsigned char file_143[] = {
#embed "../../Web/dist/texts.js.gz"
};
static const unsigned char file_144[] = {
#embed "../../Web/dist/texts_ar.js.gz"
};
static const unsigned char file_145[] = {
#embed "../../Web/dist/texts_de.js.gz"
};
static const unsigned char file_146[] = {
#embed "../../Web/dist/texts_es.js.gz"
};
static const unsigned char file_147[] = {
#embed "../../Web/dist/texts_fr.js.gz"
};
static const unsigned char file_148[] = {
#embed "../../Web/dist/texts_he.js.gz"
};
static const unsigned char file_149[] = {
#embed "../../Web/dist/texts_it.js.gz"
};
static const unsigned char file_150[] = {
#embed "../../Web/dist/texts_ja.js.gz"
};
static const unsigned char file_151[] = {
#embed "../../Web/dist/texts_nl.js.gz"
};
static const unsigned char file_152[] = {
#embed "../../Web/dist/texts_pl.js.gz"
};
static const unsigned char file_153[] = {
#embed "../../Web/dist/texts_pt.js.gz"
};
static const unsigned char file_154[] = {
#embed "../../Web/dist/trail-notes.html.gz"
};
static const unsigned char file_155[] = {
#embed "../../Web/dist/wood.svg.gz"
};
static const unsigned char file_156[] = {
#embed "../../Sources/CEmbedded/place-names.gz"
};

static const struct bellwether_embedded_file files[] = {
    {"docs/README.md", file_0, sizeof file_0},
    {"docs/coming-from/appdna.md", file_1, sizeof file_1},
    {"docs/coming-from/nimbus.md", file_2, sizeof file_2},
    {"docs/coming-from/owlmetry.md", file_3, sizeof file_3},
    {"docs/coming-from/surveynative.md", file_4, sizeof file_4},
    {"docs/console.md", file_5, sizeof file_5},
    {"docs/findings.md", file_6, sizeof file_6},
    {"docs/first-hour.md", file_7, sizeof file_7},
    {"docs/metrics.md", file_8, sizeof file_8},
    {"docs/on-device.md", file_9, sizeof file_9},
    {"docs/operators-guide.md", file_10, sizeof file_10},
    {"docs/owners-guide.md", file_11, sizeof file_11},
    {"docs/performance.md", file_12, sizeof file_12},
    {"docs/reference/events.md", file_13, sizeof file_13},
    {"docs/reference/experiments.md", file_14, sizeof file_14},
    {"docs/reference/expressions.md", file_15, sizeof file_15},
    {"docs/reference/features.md", file_16, sizeof file_16},
    {"docs/reference/flows.md", file_17, sizeof file_17},
    {"docs/reference/http-api.md", file_18, sizeof file_18},
    {"docs/reference/mcp.md", file_19, sizeof file_19},
    {"docs/reference/messaging.md", file_20, sizeof file_20},
    {"docs/reference/schemas.md", file_21, sizeof file_21},
    {"docs/reference/surveys.md", file_22, sizeof file_22},
    {"docs/reference/webhooks.md", file_23, sizeof file_23},
    {"docs/reliability.md", file_24, sizeof file_24},
    {"docs/web.md", file_25, sizeof file_25},
    {"docs/openapi.yaml", file_26, sizeof file_26},
    {"config/bellwether.yaml", file_27, sizeof file_27},
    {"ARCHITECTURE.md", file_28, sizeof file_28},
    {"CONTRIBUTING.md", file_29, sizeof file_29},
    {"SECURITY.md", file_30, sizeof file_30},
    {"Web/dist/access.js.gz", file_31, sizeof file_31},
    {"Web/dist/audit.js.gz", file_32, sizeof file_32},
    {"Web/dist/bellwether.js.gz", file_33, sizeof file_33},
    {"Web/dist/bellwether.mjs.gz", file_34, sizeof file_34},
    {"Web/dist/blocks.js.gz", file_35, sizeof file_35},
    {"Web/dist/chat.js.gz", file_36, sizeof file_36},
    {"Web/dist/chunk2P3AKO4Q.js.gz", file_37, sizeof file_37},
    {"Web/dist/chunk2V3CNN77.js.gz", file_38, sizeof file_38},
    {"Web/dist/chunk2V6FJHL7.js.gz", file_39, sizeof file_39},
    {"Web/dist/chunkAA44QKTG.js.gz", file_40, sizeof file_40},
    {"Web/dist/chunkCTPXF5JH.js.gz", file_41, sizeof file_41},
    {"Web/dist/chunkCYZ4Y3O6.js.gz", file_42, sizeof file_42},
    {"Web/dist/chunkDSXBPG7R.js.gz", file_43, sizeof file_43},
    {"Web/dist/chunkDWEWI6Y7.js.gz", file_44, sizeof file_44},
    {"Web/dist/chunkE5UQ43CF.js.gz", file_45, sizeof file_45},
    {"Web/dist/chunkIHJTR5UA.js.gz", file_46, sizeof file_46},
    {"Web/dist/chunkIUXNCELJ.js.gz", file_47, sizeof file_47},
    {"Web/dist/chunkJG5MDTDH.js.gz", file_48, sizeof file_48},
    {"Web/dist/chunkJPUEWBLX.js.gz", file_49, sizeof file_49},
    {"Web/dist/chunkJSXPTM53.js.gz", file_50, sizeof file_50},
    {"Web/dist/chunkKJ6IFYOH.js.gz", file_51, sizeof file_51},
    {"Web/dist/chunkKNDQVR6W.js.gz", file_52, sizeof file_52},
    {"Web/dist/chunkL3PHWF3B.js.gz", file_53, sizeof file_53},
    {"Web/dist/chunkMIVRJIYQ.js.gz", file_54, sizeof file_54},
    {"Web/dist/chunkONMDVPFS.js.gz", file_55, sizeof file_55},
    {"Web/dist/chunkPE3XISNR.js.gz", file_56, sizeof file_56},
    {"Web/dist/chunkRMPDV43T.js.gz", file_57, sizeof file_57},
    {"Web/dist/chunkRRZ3XU56.js.gz", file_58, sizeof file_58},
    {"Web/dist/chunkSIORFDBZ.js.gz", file_59, sizeof file_59},
    {"Web/dist/chunkWMRT7PSQ.js.gz", file_60, sizeof file_60},
    {"Web/dist/chunkX32MU3R4.js.gz", file_61, sizeof file_61},
    {"Web/dist/chunkXB2F3YLB.js.gz", file_62, sizeof file_62},
    {"Web/dist/chunkXZZDDQDM.js.gz", file_63, sizeof file_63},
    {"Web/dist/chunkYUOR5U3F.js.gz", file_64, sizeof file_64},
    {"Web/dist/code.js.gz", file_65, sizeof file_65},
    {"Web/dist/console.css.gz", file_66, sizeof file_66},
    {"Web/dist/console.js.gz", file_67, sizeof file_67},
    {"Web/dist/de.js.gz", file_68, sizeof file_68},
    {"Web/dist/de_access.js.gz", file_69, sizeof file_69},
    {"Web/dist/de_answers.js.gz", file_70, sizeof file_70},
    {"Web/dist/de_changes.js.gz", file_71, sizeof file_71},
    {"Web/dist/de_conditions.js.gz", file_72, sizeof file_72},
    {"Web/dist/de_editor.js.gz", file_73, sizeof file_73},
    {"Web/dist/de_explain.js.gz", file_74, sizeof file_74},
    {"Web/dist/de_keys.js.gz", file_75, sizeof file_75},
    {"Web/dist/de_questions.js.gz", file_76, sizeof file_76},
    {"Web/dist/de_responses.js.gz", file_77, sizeof file_77},
    {"Web/dist/de_results.js.gz", file_78, sizeof file_78},
    {"Web/dist/de_review.js.gz", file_79, sizeof file_79},
    {"Web/dist/de_run.js.gz", file_80, sizeof file_80},
    {"Web/dist/de_texts.js.gz", file_81, sizeof file_81},
    {"Web/dist/digests", file_82, sizeof file_82},
    {"Web/dist/docs.css.gz", file_83, sizeof file_83},
    {"Web/dist/docs.js.gz", file_84, sizeof file_84},
    {"Web/dist/docs_ARCHITECTURE.html.gz", file_85, sizeof file_85},
    {"Web/dist/docs_CONTRIBUTING.html.gz", file_86, sizeof file_86},
    {"Web/dist/docs_README.html.gz", file_87, sizeof file_87},
    {"Web/dist/docs_SECURITY.html.gz", file_88, sizeof file_88},
    {"Web/dist/docs_coming-from_appdna.html.gz", file_89, sizeof file_89},
    {"Web/dist/docs_coming-from_nimbus.html.gz", file_90, sizeof file_90},
    {"Web/dist/docs_coming-from_owlmetry.html.gz", file_91, sizeof file_91},
    {"Web/dist/docs_coming-from_surveynative.html.gz", file_92, sizeof file_92},
    {"Web/dist/docs_console.html.gz", file_93, sizeof file_93},
    {"Web/dist/docs_findings.html.gz", file_94, sizeof file_94},
    {"Web/dist/docs_first-hour.html.gz", file_95, sizeof file_95},
    {"Web/dist/docs_metrics.html.gz", file_96, sizeof file_96},
    {"Web/dist/docs_on-device.html.gz", file_97, sizeof file_97},
    {"Web/dist/docs_operators-guide.html.gz", file_98, sizeof file_98},
    {"Web/dist/docs_owners-guide.html.gz", file_99, sizeof file_99},
    {"Web/dist/docs_performance.html.gz", file_100, sizeof file_100},
    {"Web/dist/docs_reference_events.html.gz", file_101, sizeof file_101},
    {"Web/dist/docs_reference_experiments.html.gz", file_102, sizeof file_102},
    {"Web/dist/docs_reference_expressions.html.gz", file_103, sizeof file_103},
    {"Web/dist/docs_reference_features.html.gz", file_104, sizeof file_104},
    {"Web/dist/docs_reference_flows.html.gz", file_105, sizeof file_105},
    {"Web/dist/docs_reference_http-api.html.gz", file_106, sizeof file_106},
    {"Web/dist/docs_reference_mcp.html.gz", file_107, sizeof file_107},
    {"Web/dist/docs_reference_messaging.html.gz", file_108, sizeof file_108},
    {"Web/dist/docs_reference_schemas.html.gz", file_109, sizeof file_109},
    {"Web/dist/docs_reference_surveys.html.gz", file_110, sizeof file_110},
    {"Web/dist/docs_reference_webhooks.html.gz", file_111, sizeof file_111},
    {"Web/dist/docs_reliability.html.gz", file_112, sizeof file_112},
    {"Web/dist/docs_search.json.gz", file_113, sizeof file_113},
    {"Web/dist/docs_web.html.gz", file_114, sizeof file_114},
    {"Web/dist/edit.js.gz", file_115, sizeof file_115},
    {"Web/dist/explain.js.gz", file_116, sizeof file_116},
    {"Web/dist/fields.js.gz", file_117, sizeof file_117},
    {"Web/dist/figures.js.gz", file_118, sizeof file_118},
    {"Web/dist/frame.js.gz", file_119, sizeof file_119},
    {"Web/dist/health.js.gz", file_120, sizeof file_120},
    {"Web/dist/history.js.gz", file_121, sizeof file_121},
    {"Web/dist/icons.js.gz", file_122, sizeof file_122},
    {"Web/dist/judge.js.gz", file_123, sizeof file_123},
    {"Web/dist/lake.svg.gz", file_124, sizeof file_124},
    {"Web/dist/llms.txt.gz", file_125, sizeof file_125},
    {"Web/dist/look.js.gz", file_126, sizeof file_126},
    {"Web/dist/me.js.gz", file_127, sizeof file_127},
    {"Web/dist/page.js.gz", file_128, sizeof file_128},
    {"Web/dist/people.js.gz", file_129, sizeof file_129},
    {"Web/dist/pickers.js.gz", file_130, sizeof file_130},
    {"Web/dist/qr.js.gz", file_131, sizeof file_131},
    {"Web/dist/render.js.gz", file_132, sizeof file_132},
    {"Web/dist/responses.js.gz", file_133, sizeof file_133},
    {"Web/dist/results.js.gz", file_134, sizeof file_134},
    {"Web/dist/review.js.gz", file_135, sizeof file_135},
    {"Web/dist/ridge.svg.gz", file_136, sizeof file_136},
    {"Web/dist/sample.css.gz", file_137, sizeof file_137},
    {"Web/dist/sample.js.gz", file_138, sizeof file_138},
    {"Web/dist/severalnodes.svg.gz", file_139, sizeof file_139},
    {"Web/dist/sheet.js.gz", file_140, sizeof file_140},
    {"Web/dist/steps.js.gz", file_141, sizeof file_141},
    {"Web/dist/summit.svg.gz", file_142, sizeof file_142},
    {"Web/dist/texts.js.gz", file_143, sizeof file_143},
    {"Web/dist/texts_ar.js.gz", file_144, sizeof file_144},
    {"Web/dist/texts_de.js.gz", file_145, sizeof file_145},
    {"Web/dist/texts_es.js.gz", file_146, sizeof file_146},
    {"Web/dist/texts_fr.js.gz", file_147, sizeof file_147},
    {"Web/dist/texts_he.js.gz", file_148, sizeof file_148},
    {"Web/dist/texts_it.js.gz", file_149, sizeof file_149},
    {"Web/dist/texts_ja.js.gz", file_150, sizeof file_150},
    {"Web/dist/texts_nl.js.gz", file_151, sizeof file_151},
    {"Web/dist/texts_pl.js.gz", file_152, sizeof file_152},
    {"Web/dist/texts_pt.js.gz", file_153, sizeof file_153},
    {"Web/dist/trail-notes.html.gz", file_154, sizeof file_154},
    {"Web/dist/wood.svg.gz", file_155, sizeof file_155},
    {"Sources/CEmbedded/place-names.gz", file_156, sizeof file_156},
};

const struct bellwether_embedded_file *bellwether_embedded_file(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
