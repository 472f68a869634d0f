// Written by Scripts/embed.
#include "embedded.h"

// #embed is C23's; clang takes it in every mode and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../docs/findings.md"
};
static const unsigned char file_1[] = {
#embed "../../docs/metrics.md"
};
static const unsigned char file_2[] = {
#embed "../../docs/openapi.yaml"
};
static const unsigned char file_3[] = {
#embed "../../docs/operators-guide.md"
};
static const unsigned char file_4[] = {
#embed "../../docs/owners-guide.md"
};
static const unsigned char file_5[] = {
#embed "../../docs/reference/events.md"
};
static const unsigned char file_6[] = {
#embed "../../docs/reference/experiments.md"
};
static const unsigned char file_7[] = {
#embed "../../docs/reference/expressions.md"
};
static const unsigned char file_8[] = {
#embed "../../docs/reference/features.md"
};
static const unsigned char file_9[] = {
#embed "../../docs/reference/flows.md"
};
static const unsigned char file_10[] = {
#embed "../../docs/reference/http-api.md"
};
static const unsigned char file_11[] = {
#embed "../../docs/reference/mcp.md"
};
static const unsigned char file_12[] = {
#embed "../../docs/reference/messaging.md"
};
static const unsigned char file_13[] = {
#embed "../../docs/reference/schemas.md"
};
static const unsigned char file_14[] = {
#embed "../../docs/reference/surveys.md"
};
static const unsigned char file_15[] = {
#embed "../../docs/reference/webhooks.md"
};
static const unsigned char file_16[] = {
#embed "../../Web/dist/access.js.gz"
};
static const unsigned char file_17[] = {
#embed "../../Web/dist/audit.js.gz"
};
static const unsigned char file_18[] = {
#embed "../../Web/dist/bellwether.js.gz"
};
static const unsigned char file_19[] = {
#embed "../../Web/dist/bellwether.mjs.gz"
};
static const unsigned char file_20[] = {
#embed "../../Web/dist/blocks.js.gz"
};
static const unsigned char file_21[] = {
#embed "../../Web/dist/chat.js.gz"
};
static const unsigned char file_22[] = {
#embed "../../Web/dist/chunk2V6FJHL7.js.gz"
};
static const unsigned char file_23[] = {
#embed "../../Web/dist/chunk4ON7DGT4.js.gz"
};
static const unsigned char file_24[] = {
#embed "../../Web/dist/chunk6S7MKUCD.js.gz"
};
static const unsigned char file_25[] = {
#embed "../../Web/dist/chunk6SZLG2UT.js.gz"
};
static const unsigned char file_26[] = {
#embed "../../Web/dist/chunkAMLQB5M4.js.gz"
};
static const unsigned char file_27[] = {
#embed "../../Web/dist/chunkCDW2Q2JS.js.gz"
};
static const unsigned char file_28[] = {
#embed "../../Web/dist/chunkCYZ4Y3O6.js.gz"
};
static const unsigned char file_29[] = {
#embed "../../Web/dist/chunkDKBNBVDB.js.gz"
};
static const unsigned char file_30[] = {
#embed "../../Web/dist/chunkDWEWI6Y7.js.gz"
};
static const unsigned char file_31[] = {
#embed "../../Web/dist/chunkFFQYI4YY.js.gz"
};
static const unsigned char file_32[] = {
#embed "../../Web/dist/chunkHIZYVO6H.js.gz"
};
static const unsigned char file_33[] = {
#embed "../../Web/dist/chunkHRL6ATGQ.js.gz"
};
static const unsigned char file_34[] = {
#embed "../../Web/dist/chunkI7W5Z564.js.gz"
};
static const unsigned char file_35[] = {
#embed "../../Web/dist/chunkIUXNCELJ.js.gz"
};
static const unsigned char file_36[] = {
#embed "../../Web/dist/chunkJFJXCTNK.js.gz"
};
static const unsigned char file_37[] = {
#embed "../../Web/dist/chunkJPUEWBLX.js.gz"
};
static const unsigned char file_38[] = {
#embed "../../Web/dist/chunkLZMA33ZA.js.gz"
};
static const unsigned char file_39[] = {
#embed "../../Web/dist/chunkONMDVPFS.js.gz"
};
static const unsigned char file_40[] = {
#embed "../../Web/dist/chunkPE3XISNR.js.gz"
};
static const unsigned char file_41[] = {
#embed "../../Web/dist/chunkSIORFDBZ.js.gz"
};
static const unsigned char file_42[] = {
#embed "../../Web/dist/chunkSRJH3ZWL.js.gz"
};
static const unsigned char file_43[] = {
#embed "../../Web/dist/chunkSXTW2WM6.js.gz"
};
static const unsigned char file_44[] = {
#embed "../../Web/dist/chunkTYHCMSRC.js.gz"
};
static const unsigned char file_45[] = {
#embed "../../Web/dist/chunkWMRT7PSQ.js.gz"
};
static const unsigned char file_46[] = {
#embed "../../Web/dist/chunkX32MU3R4.js.gz"
};
static const unsigned char file_47[] = {
#embed "../../Web/dist/chunkXN5FT7QA.js.gz"
};
static const unsigned char file_48[] = {
#embed "../../Web/dist/chunkZWAGQK5F.js.gz"
};
static const unsigned char file_49[] = {
#embed "../../Web/dist/chunkZWAITAYB.js.gz"
};
static const unsigned char file_50[] = {
#embed "../../Web/dist/code.js.gz"
};
static const unsigned char file_51[] = {
#embed "../../Web/dist/console.css.gz"
};
static const unsigned char file_52[] = {
#embed "../../Web/dist/console.js.gz"
};
static const unsigned char file_53[] = {
#embed "../../Web/dist/de.js.gz"
};
static const unsigned char file_54[] = {
#embed "../../Web/dist/de_access.js.gz"
};
static const unsigned char file_55[] = {
#embed "../../Web/dist/de_answers.js.gz"
};
static const unsigned char file_56[] = {
#embed "../../Web/dist/de_changes.js.gz"
};
static const unsigned char file_57[] = {
#embed "../../Web/dist/de_conditions.js.gz"
};
static const unsigned char file_58[] = {
#embed "../../Web/dist/de_editor.js.gz"
};
static const unsigned char file_59[] = {
#embed "../../Web/dist/de_explain.js.gz"
};
static const unsigned char file_60[] = {
#embed "../../Web/dist/de_keys.js.gz"
};
static const unsigned char file_61[] = {
#embed "../../Web/dist/de_questions.js.gz"
};
static const unsigned char file_62[] = {
#embed "../../Web/dist/de_responses.js.gz"
};
static const unsigned char file_63[] = {
#embed "../../Web/dist/de_results.js.gz"
};
static const unsigned char file_64[] = {
#embed "../../Web/dist/de_review.js.gz"
};
static const unsigned char file_65[] = {
#embed "../../Web/dist/de_run.js.gz"
};
static const unsigned char file_66[] = {
#embed "../../Web/dist/de_texts.js.gz"
};
static const unsigned char file_67[] = {
#embed "../../Web/dist/digests"
};
static const unsigned char file_68[] = {
#embed "../../Web/dist/edit.js.gz"
};
static const unsigned char file_69[] = {
#embed "../../Web/dist/explain.js.gz"
};
static const unsigned char file_70[] = {
#embed "../../Web/dist/fields.js.gz"
};
static const unsigned char file_71[] = {
#embed "../../Web/dist/figures.js.gz"
};
static const unsigned char file_72[] = {
#embed "../../Web/dist/frame.js.gz"
};
static const unsigned char file_73[] = {
#embed "../../Web/dist/health.js.gz"
};
static const unsigned char file_74[] = {
#embed "../../Web/dist/history.js.gz"
};
static const unsigned char file_75[] = {
#embed "../../Web/dist/icons.js.gz"
};
static const unsigned char file_76[] = {
#embed "../../Web/dist/judge.js.gz"
};
static const unsigned char file_77[] = {
#embed "../../Web/dist/lake.svg.gz"
};
static const unsigned char file_78[] = {
#embed "../../Web/dist/look.js.gz"
};
static const unsigned char file_79[] = {
#embed "../../Web/dist/me.js.gz"
};
static const unsigned char file_80[] = {
#embed "../../Web/dist/page.js.gz"
};
static const unsigned char file_81[] = {
#embed "../../Web/dist/people.js.gz"
};
static const unsigned char file_82[] = {
#embed "../../Web/dist/pickers.js.gz"
};
static const unsigned char file_83[] = {
#embed "../../Web/dist/qr.js.gz"
};
static const unsigned char file_84[] = {
#embed "../../Web/dist/render.js.gz"
};
static const unsigned char file_85[] = {
#embed "../../Web/dist/responses.js.gz"
};
static const unsigned char file_86[] = {
#embed "../../Web/dist/results.js.gz"
};
static const unsigned char file_87[] = {
#embed "../../Web/dist/review.js.gz"
};
static const unsigned char file_88[] = {
#embed "../../Web/dist/ridge.svg.gz"
};
static const unsigned char file_89[] = {
#embed "../../Web/dist/sample.css.gz"
};
static const unsigned char file_90[] = {
#embed "../../Web/dist/sample.js.gz"
};
static const unsigned char file_91[] = {
#embed "../../Web/dist/sheet.js.gz"
};
static const unsigned char file_92[] = {
#embed "../../Web/dist/steps.js.gz"
};
static const unsigned char file_93[] = {
#embed "../../Web/dist/summit.svg.gz"
};
static const unsigned char file_94[] = {
#embed "../../Web/dist/texts.js.gz"
};
static const unsigned char file_95[] = {
#embed "../../Web/dist/texts_ar.js.gz"
};
static const unsigned char file_96[] = {
#embed "../../Web/dist/texts_de.js.gz"
};
static const unsigned char file_97[] = {
#embed "../../Web/dist/texts_es.js.gz"
};
static const unsigned char file_98[] = {
#embed "../../Web/dist/texts_fr.js.gz"
};
static const unsigned char file_99[] = {
#embed "../../Web/dist/texts_he.js.gz"
};
static const unsigned char file_100[] = {
#embed "../../Web/dist/texts_it.js.gz"
};
static const unsigned char file_101[] = {
#embed "../../Web/dist/texts_ja.js.gz"
};
static const unsigned char file_102[] = {
#embed "../../Web/dist/texts_nl.js.gz"
};
static const unsigned char file_103[] = {
#embed "../../Web/dist/texts_pl.js.gz"
};
static const unsigned char file_104[] = {
#embed "../../Web/dist/texts_pt.js.gz"
};
static const unsigned char file_105[] = {
#embed "../../Web/dist/trail-notes.html.gz"
};
static const unsigned char file_106[] = {
#embed "../../Web/dist/wood.svg.gz"
};

static const struct bellwether_embedded_file files[] = {
    {"docs/findings.md", file_0, sizeof file_0},
    {"docs/metrics.md", file_1, sizeof file_1},
    {"docs/openapi.yaml", file_2, sizeof file_2},
    {"docs/operators-guide.md", file_3, sizeof file_3},
    {"docs/owners-guide.md", file_4, sizeof file_4},
    {"docs/reference/events.md", file_5, sizeof file_5},
    {"docs/reference/experiments.md", file_6, sizeof file_6},
    {"docs/reference/expressions.md", file_7, sizeof file_7},
    {"docs/reference/features.md", file_8, sizeof file_8},
    {"docs/reference/flows.md", file_9, sizeof file_9},
    {"docs/reference/http-api.md", file_10, sizeof file_10},
    {"docs/reference/mcp.md", file_11, sizeof file_11},
    {"docs/reference/messaging.md", file_12, sizeof file_12},
    {"docs/reference/schemas.md", file_13, sizeof file_13},
    {"docs/reference/surveys.md", file_14, sizeof file_14},
    {"docs/reference/webhooks.md", file_15, sizeof file_15},
    {"Web/dist/access.js.gz", file_16, sizeof file_16},
    {"Web/dist/audit.js.gz", file_17, sizeof file_17},
    {"Web/dist/bellwether.js.gz", file_18, sizeof file_18},
    {"Web/dist/bellwether.mjs.gz", file_19, sizeof file_19},
    {"Web/dist/blocks.js.gz", file_20, sizeof file_20},
    {"Web/dist/chat.js.gz", file_21, sizeof file_21},
    {"Web/dist/chunk2V6FJHL7.js.gz", file_22, sizeof file_22},
    {"Web/dist/chunk4ON7DGT4.js.gz", file_23, sizeof file_23},
    {"Web/dist/chunk6S7MKUCD.js.gz", file_24, sizeof file_24},
    {"Web/dist/chunk6SZLG2UT.js.gz", file_25, sizeof file_25},
    {"Web/dist/chunkAMLQB5M4.js.gz", file_26, sizeof file_26},
    {"Web/dist/chunkCDW2Q2JS.js.gz", file_27, sizeof file_27},
    {"Web/dist/chunkCYZ4Y3O6.js.gz", file_28, sizeof file_28},
    {"Web/dist/chunkDKBNBVDB.js.gz", file_29, sizeof file_29},
    {"Web/dist/chunkDWEWI6Y7.js.gz", file_30, sizeof file_30},
    {"Web/dist/chunkFFQYI4YY.js.gz", file_31, sizeof file_31},
    {"Web/dist/chunkHIZYVO6H.js.gz", file_32, sizeof file_32},
    {"Web/dist/chunkHRL6ATGQ.js.gz", file_33, sizeof file_33},
    {"Web/dist/chunkI7W5Z564.js.gz", file_34, sizeof file_34},
    {"Web/dist/chunkIUXNCELJ.js.gz", file_35, sizeof file_35},
    {"Web/dist/chunkJFJXCTNK.js.gz", file_36, sizeof file_36},
    {"Web/dist/chunkJPUEWBLX.js.gz", file_37, sizeof file_37},
    {"Web/dist/chunkLZMA33ZA.js.gz", file_38, sizeof file_38},
    {"Web/dist/chunkONMDVPFS.js.gz", file_39, sizeof file_39},
    {"Web/dist/chunkPE3XISNR.js.gz", file_40, sizeof file_40},
    {"Web/dist/chunkSIORFDBZ.js.gz", file_41, sizeof file_41},
    {"Web/dist/chunkSRJH3ZWL.js.gz", file_42, sizeof file_42},
    {"Web/dist/chunkSXTW2WM6.js.gz", file_43, sizeof file_43},
    {"Web/dist/chunkTYHCMSRC.js.gz", file_44, sizeof file_44},
    {"Web/dist/chunkWMRT7PSQ.js.gz", file_45, sizeof file_45},
    {"Web/dist/chunkX32MU3R4.js.gz", file_46, sizeof file_46},
    {"Web/dist/chunkXN5FT7QA.js.gz", file_47, sizeof file_47},
    {"Web/dist/chunkZWAGQK5F.js.gz", file_48, sizeof file_48},
    {"Web/dist/chunkZWAITAYB.js.gz", file_49, sizeof file_49},
    {"Web/dist/code.js.gz", file_50, sizeof file_50},
    {"Web/dist/console.css.gz", file_51, sizeof file_51},
    {"Web/dist/console.js.gz", file_52, sizeof file_52},
    {"Web/dist/de.js.gz", file_53, sizeof file_53},
    {"Web/dist/de_access.js.gz", file_54, sizeof file_54},
    {"Web/dist/de_answers.js.gz", file_55, sizeof file_55},
    {"Web/dist/de_changes.js.gz", file_56, sizeof file_56},
    {"Web/dist/de_conditions.js.gz", file_57, sizeof file_57},
    {"Web/dist/de_editor.js.gz", file_58, sizeof file_58},
    {"Web/dist/de_explain.js.gz", file_59, sizeof file_59},
    {"Web/dist/de_keys.js.gz", file_60, sizeof file_60},
    {"Web/dist/de_questions.js.gz", file_61, sizeof file_61},
    {"Web/dist/de_responses.js.gz", file_62, sizeof file_62},
    {"Web/dist/de_results.js.gz", file_63, sizeof file_63},
    {"Web/dist/de_review.js.gz", file_64, sizeof file_64},
    {"Web/dist/de_run.js.gz", file_65, sizeof file_65},
    {"Web/dist/de_texts.js.gz", file_66, sizeof file_66},
    {"Web/dist/digests", file_67, sizeof file_67},
    {"Web/dist/edit.js.gz", file_68, sizeof file_68},
    {"Web/dist/explain.js.gz", file_69, sizeof file_69},
    {"Web/dist/fields.js.gz", file_70, sizeof file_70},
    {"Web/dist/figures.js.gz", file_71, sizeof file_71},
    {"Web/dist/frame.js.gz", file_72, sizeof file_72},
    {"Web/dist/health.js.gz", file_73, sizeof file_73},
    {"Web/dist/history.js.gz", file_74, sizeof file_74},
    {"Web/dist/icons.js.gz", file_75, sizeof file_75},
    {"Web/dist/judge.js.gz", file_76, sizeof file_76},
    {"Web/dist/lake.svg.gz", file_77, sizeof file_77},
    {"Web/dist/look.js.gz", file_78, sizeof file_78},
    {"Web/dist/me.js.gz", file_79, sizeof file_79},
    {"Web/dist/page.js.gz", file_80, sizeof file_80},
    {"Web/dist/people.js.gz", file_81, sizeof file_81},
    {"Web/dist/pickers.js.gz", file_82, sizeof file_82},
    {"Web/dist/qr.js.gz", file_83, sizeof file_83},
    {"Web/dist/render.js.gz", file_84, sizeof file_84},
    {"Web/dist/responses.js.gz", file_85, sizeof file_85},
    {"Web/dist/results.js.gz", file_86, sizeof file_86},
    {"Web/dist/review.js.gz", file_87, sizeof file_87},
    {"Web/dist/ridge.svg.gz", file_88, sizeof file_88},
    {"Web/dist/sample.css.gz", file_89, sizeof file_89},
    {"Web/dist/sample.js.gz", file_90, sizeof file_90},
    {"Web/dist/sheet.js.gz", file_91, sizeof file_91},
    {"Web/dist/steps.js.gz", file_92, sizeof file_92},
    {"Web/dist/summit.svg.gz", file_93, sizeof file_93},
    {"Web/dist/texts.js.gz", file_94, sizeof file_94},
    {"Web/dist/texts_ar.js.gz", file_95, sizeof file_95},
    {"Web/dist/texts_de.js.gz", file_96, sizeof file_96},
    {"Web/dist/texts_es.js.gz", file_97, sizeof file_97},
    {"Web/dist/texts_fr.js.gz", file_98, sizeof file_98},
    {"Web/dist/texts_he.js.gz", file_99, sizeof file_99},
    {"Web/dist/texts_it.js.gz", file_100, sizeof file_100},
    {"Web/dist/texts_ja.js.gz", file_101, sizeof file_101},
    {"Web/dist/texts_nl.js.gz", file_102, sizeof file_102},
    {"Web/dist/texts_pl.js.gz", file_103, sizeof file_103},
    {"Web/dist/texts_pt.js.gz", file_104, sizeof file_104},
    {"Web/dist/trail-notes.html.gz", file_105, sizeof file_105},
    {"Web/dist/wood.svg.gz", file_106, sizeof file_106},
};

const struct bellwether_embedded_file *bellwether_embedded_file(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
