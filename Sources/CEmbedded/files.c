// Written by Scripts/embed.
#include "embedded.h"

// #embed is C23's; clang takes it in every mode and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_docs_README_md[] = {
#embed "../../docs/README.md"
};
static const unsigned char file_docs_coming_from_appdna_md[] = {
#embed "../../docs/coming-from/appdna.md"
};
static const unsigned char file_docs_coming_from_formbricks_md[] = {
#embed "../../docs/coming-from/formbricks.md"
};
static const unsigned char file_docs_coming_from_nimbus_md[] = {
#embed "../../docs/coming-from/nimbus.md"
};
static const unsigned char file_docs_coming_from_owlmetry_md[] = {
#embed "../../docs/coming-from/owlmetry.md"
};
static const unsigned char file_docs_coming_from_posthog_md[] = {
#embed "../../docs/coming-from/posthog.md"
};
static const unsigned char file_docs_coming_from_surveynative_md[] = {
#embed "../../docs/coming-from/surveynative.md"
};
static const unsigned char file_docs_console_md[] = {
#embed "../../docs/console.md"
};
static const unsigned char file_docs_did_it_work_md[] = {
#embed "../../docs/did-it-work.md"
};
static const unsigned char file_docs_findings_md[] = {
#embed "../../docs/findings.md"
};
static const unsigned char file_docs_first_hour_md[] = {
#embed "../../docs/first-hour.md"
};
static const unsigned char file_docs_javascript_md[] = {
#embed "../../docs/javascript.md"
};
static const unsigned char file_docs_metrics_md[] = {
#embed "../../docs/metrics.md"
};
static const unsigned char file_docs_on_device_md[] = {
#embed "../../docs/on-device.md"
};
static const unsigned char file_docs_operators_guide_md[] = {
#embed "../../docs/operators-guide.md"
};
static const unsigned char file_docs_owners_guide_md[] = {
#embed "../../docs/owners-guide.md"
};
static const unsigned char file_docs_performance_md[] = {
#embed "../../docs/performance.md"
};
static const unsigned char file_docs_python_md[] = {
#embed "../../docs/python.md"
};
static const unsigned char file_docs_reference_audiences_md[] = {
#embed "../../docs/reference/audiences.md"
};
static const unsigned char file_docs_reference_data_md[] = {
#embed "../../docs/reference/data.md"
};
static const unsigned char file_docs_reference_events_md[] = {
#embed "../../docs/reference/events.md"
};
static const unsigned char file_docs_reference_experiments_md[] = {
#embed "../../docs/reference/experiments.md"
};
static const unsigned char file_docs_reference_expressions_md[] = {
#embed "../../docs/reference/expressions.md"
};
static const unsigned char file_docs_reference_features_md[] = {
#embed "../../docs/reference/features.md"
};
static const unsigned char file_docs_reference_flows_md[] = {
#embed "../../docs/reference/flows.md"
};
static const unsigned char file_docs_reference_goals_md[] = {
#embed "../../docs/reference/goals.md"
};
static const unsigned char file_docs_reference_http_api_md[] = {
#embed "../../docs/reference/http-api.md"
};
static const unsigned char file_docs_reference_mcp_md[] = {
#embed "../../docs/reference/mcp.md"
};
static const unsigned char file_docs_reference_messaging_md[] = {
#embed "../../docs/reference/messaging.md"
};
static const unsigned char file_docs_reference_rounds_md[] = {
#embed "../../docs/reference/rounds.md"
};
static const unsigned char file_docs_reference_schemas_md[] = {
#embed "../../docs/reference/schemas.md"
};
static const unsigned char file_docs_reference_sign_in_md[] = {
#embed "../../docs/reference/sign-in.md"
};
static const unsigned char file_docs_reference_streams_md[] = {
#embed "../../docs/reference/streams.md"
};
static const unsigned char file_docs_reference_surveys_md[] = {
#embed "../../docs/reference/surveys.md"
};
static const unsigned char file_docs_reference_tls_md[] = {
#embed "../../docs/reference/tls.md"
};
static const unsigned char file_docs_reference_webhooks_md[] = {
#embed "../../docs/reference/webhooks.md"
};
static const unsigned char file_docs_releasing_md[] = {
#embed "../../docs/releasing.md"
};
static const unsigned char file_docs_reliability_md[] = {
#embed "../../docs/reliability.md"
};
static const unsigned char file_docs_stability_md[] = {
#embed "../../docs/stability.md"
};
static const unsigned char file_docs_swift_md[] = {
#embed "../../docs/swift.md"
};
static const unsigned char file_docs_vectors_md[] = {
#embed "../../docs/vectors.md"
};
static const unsigned char file_docs_warehouse_md[] = {
#embed "../../docs/warehouse.md"
};
static const unsigned char file_docs_web_md[] = {
#embed "../../docs/web.md"
};
static const unsigned char file_docs_openapi_yaml[] = {
#embed "../../docs/openapi.yaml"
};
static const unsigned char file_config_bellwether_yaml[] = {
#embed "../../config/bellwether.yaml"
};
static const unsigned char file_ARCHITECTURE_md[] = {
#embed "../../ARCHITECTURE.md"
};
static const unsigned char file_CONTRIBUTING_md[] = {
#embed "../../CONTRIBUTING.md"
};
static const unsigned char file_SECURITY_md[] = {
#embed "../../SECURITY.md"
};
static const unsigned char file_Web_dist_access_js[] = {
#embed "../../Web/dist/access.js"
};
static const unsigned char file_Web_dist_audit_js[] = {
#embed "../../Web/dist/audit.js"
};
static const unsigned char file_Web_dist_begin_js[] = {
#embed "../../Web/dist/begin.js"
};
static const unsigned char file_Web_dist_bellwether_js[] = {
#embed "../../Web/dist/bellwether.js"
};
static const unsigned char file_Web_dist_bellwether_mjs[] = {
#embed "../../Web/dist/bellwether.mjs"
};
static const unsigned char file_Web_dist_blocks_js[] = {
#embed "../../Web/dist/blocks.js"
};
static const unsigned char file_Web_dist_changes_js[] = {
#embed "../../Web/dist/changes.js"
};
static const unsigned char file_Web_dist_chat_js[] = {
#embed "../../Web/dist/chat.js"
};
static const unsigned char file_Web_dist_chunk2QF3TYEP_js[] = {
#embed "../../Web/dist/chunk2QF3TYEP.js"
};
static const unsigned char file_Web_dist_chunk2SRKZWEJ_js[] = {
#embed "../../Web/dist/chunk2SRKZWEJ.js"
};
static const unsigned char file_Web_dist_chunk3YM4QXDP_js[] = {
#embed "../../Web/dist/chunk3YM4QXDP.js"
};
static const unsigned char file_Web_dist_chunk5ELNTLJC_js[] = {
#embed "../../Web/dist/chunk5ELNTLJC.js"
};
static const unsigned char file_Web_dist_chunk6WF3C2ZC_js[] = {
#embed "../../Web/dist/chunk6WF3C2ZC.js"
};
static const unsigned char file_Web_dist_chunk7UEGC5AS_js[] = {
#embed "../../Web/dist/chunk7UEGC5AS.js"
};
static const unsigned char file_Web_dist_chunkAUHBZFTX_js[] = {
#embed "../../Web/dist/chunkAUHBZFTX.js"
};
static const unsigned char file_Web_dist_chunkAZVEMRL5_js[] = {
#embed "../../Web/dist/chunkAZVEMRL5.js"
};
static const unsigned char file_Web_dist_chunkBBHA5HKU_js[] = {
#embed "../../Web/dist/chunkBBHA5HKU.js"
};
static const unsigned char file_Web_dist_chunkCBCI6JOP_js[] = {
#embed "../../Web/dist/chunkCBCI6JOP.js"
};
static const unsigned char file_Web_dist_chunkEMVATHFX_js[] = {
#embed "../../Web/dist/chunkEMVATHFX.js"
};
static const unsigned char file_Web_dist_chunkERPO5JZX_js[] = {
#embed "../../Web/dist/chunkERPO5JZX.js"
};
static const unsigned char file_Web_dist_chunkISOV2PF6_js[] = {
#embed "../../Web/dist/chunkISOV2PF6.js"
};
static const unsigned char file_Web_dist_chunkJ222OIEV_js[] = {
#embed "../../Web/dist/chunkJ222OIEV.js"
};
static const unsigned char file_Web_dist_chunkJ2RSQFCR_js[] = {
#embed "../../Web/dist/chunkJ2RSQFCR.js"
};
static const unsigned char file_Web_dist_chunkJWMLA2EM_js[] = {
#embed "../../Web/dist/chunkJWMLA2EM.js"
};
static const unsigned char file_Web_dist_chunkK7H7O3O2_js[] = {
#embed "../../Web/dist/chunkK7H7O3O2.js"
};
static const unsigned char file_Web_dist_chunkO2PIFQQH_js[] = {
#embed "../../Web/dist/chunkO2PIFQQH.js"
};
static const unsigned char file_Web_dist_chunkOSIZC7EO_js[] = {
#embed "../../Web/dist/chunkOSIZC7EO.js"
};
static const unsigned char file_Web_dist_chunkRCTT4YJM_js[] = {
#embed "../../Web/dist/chunkRCTT4YJM.js"
};
static const unsigned char file_Web_dist_chunkRFY5TV6D_js[] = {
#embed "../../Web/dist/chunkRFY5TV6D.js"
};
static const unsigned char file_Web_dist_chunkRURTWEBA_js[] = {
#embed "../../Web/dist/chunkRURTWEBA.js"
};
static const unsigned char file_Web_dist_chunkSJBT3RQW_js[] = {
#embed "../../Web/dist/chunkSJBT3RQW.js"
};
static const unsigned char file_Web_dist_chunkTJX5SS6L_js[] = {
#embed "../../Web/dist/chunkTJX5SS6L.js"
};
static const unsigned char file_Web_dist_chunkUHKPQDJ6_js[] = {
#embed "../../Web/dist/chunkUHKPQDJ6.js"
};
static const unsigned char file_Web_dist_chunkV7YGJVIF_js[] = {
#embed "../../Web/dist/chunkV7YGJVIF.js"
};
static const unsigned char file_Web_dist_chunkVERUEKZM_js[] = {
#embed "../../Web/dist/chunkVERUEKZM.js"
};
static const unsigned char file_Web_dist_chunkXGWADZSD_js[] = {
#embed "../../Web/dist/chunkXGWADZSD.js"
};
static const unsigned char file_Web_dist_chunkY23QLEZT_js[] = {
#embed "../../Web/dist/chunkY23QLEZT.js"
};
static const unsigned char file_Web_dist_chunkY2P4ZRDN_js[] = {
#embed "../../Web/dist/chunkY2P4ZRDN.js"
};
static const unsigned char file_Web_dist_chunkY3X47XEC_js[] = {
#embed "../../Web/dist/chunkY3X47XEC.js"
};
static const unsigned char file_Web_dist_chunkYPS7M5SN_js[] = {
#embed "../../Web/dist/chunkYPS7M5SN.js"
};
static const unsigned char file_Web_dist_chunkZ4AKZJOM_js[] = {
#embed "../../Web/dist/chunkZ4AKZJOM.js"
};
static const unsigned char file_Web_dist_chunkZ4THBSH3_js[] = {
#embed "../../Web/dist/chunkZ4THBSH3.js"
};
static const unsigned char file_Web_dist_chunkZMPFDDKB_js[] = {
#embed "../../Web/dist/chunkZMPFDDKB.js"
};
static const unsigned char file_Web_dist_code_js[] = {
#embed "../../Web/dist/code.js"
};
static const unsigned char file_Web_dist_console_css[] = {
#embed "../../Web/dist/console.css"
};
static const unsigned char file_Web_dist_console_js[] = {
#embed "../../Web/dist/console.js"
};
static const unsigned char file_Web_dist_de_js[] = {
#embed "../../Web/dist/de.js"
};
static const unsigned char file_Web_dist_de_access_js[] = {
#embed "../../Web/dist/de_access.js"
};
static const unsigned char file_Web_dist_de_answers_js[] = {
#embed "../../Web/dist/de_answers.js"
};
static const unsigned char file_Web_dist_de_begin_js[] = {
#embed "../../Web/dist/de_begin.js"
};
static const unsigned char file_Web_dist_de_changes_js[] = {
#embed "../../Web/dist/de_changes.js"
};
static const unsigned char file_Web_dist_de_conditions_js[] = {
#embed "../../Web/dist/de_conditions.js"
};
static const unsigned char file_Web_dist_de_editor_js[] = {
#embed "../../Web/dist/de_editor.js"
};
static const unsigned char file_Web_dist_de_explain_js[] = {
#embed "../../Web/dist/de_explain.js"
};
static const unsigned char file_Web_dist_de_findings_js[] = {
#embed "../../Web/dist/de_findings.js"
};
static const unsigned char file_Web_dist_de_goals_js[] = {
#embed "../../Web/dist/de_goals.js"
};
static const unsigned char file_Web_dist_de_keys_js[] = {
#embed "../../Web/dist/de_keys.js"
};
static const unsigned char file_Web_dist_de_questions_js[] = {
#embed "../../Web/dist/de_questions.js"
};
static const unsigned char file_Web_dist_de_responses_js[] = {
#embed "../../Web/dist/de_responses.js"
};
static const unsigned char file_Web_dist_de_results_js[] = {
#embed "../../Web/dist/de_results.js"
};
static const unsigned char file_Web_dist_de_review_js[] = {
#embed "../../Web/dist/de_review.js"
};
static const unsigned char file_Web_dist_de_run_js[] = {
#embed "../../Web/dist/de_run.js"
};
static const unsigned char file_Web_dist_de_texts_js[] = {
#embed "../../Web/dist/de_texts.js"
};
static const unsigned char file_Web_dist_digests[] = {
#embed "../../Web/dist/digests"
};
static const unsigned char file_Web_dist_docs_css[] = {
#embed "../../Web/dist/docs.css"
};
static const unsigned char file_Web_dist_docs_js[] = {
#embed "../../Web/dist/docs.js"
};
static const unsigned char file_Web_dist_docs_ARCHITECTURE_html[] = {
#embed "../../Web/dist/docs_ARCHITECTURE.html"
};
static const unsigned char file_Web_dist_docs_CONTRIBUTING_html[] = {
#embed "../../Web/dist/docs_CONTRIBUTING.html"
};
static const unsigned char file_Web_dist_docs_README_html[] = {
#embed "../../Web/dist/docs_README.html"
};
static const unsigned char file_Web_dist_docs_SECURITY_html[] = {
#embed "../../Web/dist/docs_SECURITY.html"
};
static const unsigned char file_Web_dist_docs_coming_from_appdna_html[] = {
#embed "../../Web/dist/docs_coming-from_appdna.html"
};
static const unsigned char file_Web_dist_docs_coming_from_formbricks_html[] = {
#embed "../../Web/dist/docs_coming-from_formbricks.html"
};
static const unsigned char file_Web_dist_docs_coming_from_nimbus_html[] = {
#embed "../../Web/dist/docs_coming-from_nimbus.html"
};
static const unsigned char file_Web_dist_docs_coming_from_owlmetry_html[] = {
#embed "../../Web/dist/docs_coming-from_owlmetry.html"
};
static const unsigned char file_Web_dist_docs_coming_from_posthog_html[] = {
#embed "../../Web/dist/docs_coming-from_posthog.html"
};
static const unsigned char file_Web_dist_docs_coming_from_surveynative_html[] = {
#embed "../../Web/dist/docs_coming-from_surveynative.html"
};
static const unsigned char file_Web_dist_docs_console_html[] = {
#embed "../../Web/dist/docs_console.html"
};
static const unsigned char file_Web_dist_docs_did_it_work_html[] = {
#embed "../../Web/dist/docs_did-it-work.html"
};
static const unsigned char file_Web_dist_docs_findings_html[] = {
#embed "../../Web/dist/docs_findings.html"
};
static const unsigned char file_Web_dist_docs_first_hour_html[] = {
#embed "../../Web/dist/docs_first-hour.html"
};
static const unsigned char file_Web_dist_docs_javascript_html[] = {
#embed "../../Web/dist/docs_javascript.html"
};
static const unsigned char file_Web_dist_docs_metrics_html[] = {
#embed "../../Web/dist/docs_metrics.html"
};
static const unsigned char file_Web_dist_docs_on_device_html[] = {
#embed "../../Web/dist/docs_on-device.html"
};
static const unsigned char file_Web_dist_docs_operators_guide_html[] = {
#embed "../../Web/dist/docs_operators-guide.html"
};
static const unsigned char file_Web_dist_docs_owners_guide_html[] = {
#embed "../../Web/dist/docs_owners-guide.html"
};
static const unsigned char file_Web_dist_docs_performance_html[] = {
#embed "../../Web/dist/docs_performance.html"
};
static const unsigned char file_Web_dist_docs_python_html[] = {
#embed "../../Web/dist/docs_python.html"
};
static const unsigned char file_Web_dist_docs_reference_audiences_html[] = {
#embed "../../Web/dist/docs_reference_audiences.html"
};
static const unsigned char file_Web_dist_docs_reference_data_html[] = {
#embed "../../Web/dist/docs_reference_data.html"
};
static const unsigned char file_Web_dist_docs_reference_events_html[] = {
#embed "../../Web/dist/docs_reference_events.html"
};
static const unsigned char file_Web_dist_docs_reference_experiments_html[] = {
#embed "../../Web/dist/docs_reference_experiments.html"
};
static const unsigned char file_Web_dist_docs_reference_expressions_html[] = {
#embed "../../Web/dist/docs_reference_expressions.html"
};
static const unsigned char file_Web_dist_docs_reference_features_html[] = {
#embed "../../Web/dist/docs_reference_features.html"
};
static const unsigned char file_Web_dist_docs_reference_flows_html[] = {
#embed "../../Web/dist/docs_reference_flows.html"
};
static const unsigned char file_Web_dist_docs_reference_goals_html[] = {
#embed "../../Web/dist/docs_reference_goals.html"
};
static const unsigned char file_Web_dist_docs_reference_http_api_html[] = {
#embed "../../Web/dist/docs_reference_http-api.html"
};
static const unsigned char file_Web_dist_docs_reference_mcp_html[] = {
#embed "../../Web/dist/docs_reference_mcp.html"
};
static const unsigned char file_Web_dist_docs_reference_messaging_html[] = {
#embed "../../Web/dist/docs_reference_messaging.html"
};
static const unsigned char file_Web_dist_docs_reference_rounds_html[] = {
#embed "../../Web/dist/docs_reference_rounds.html"
};
static const unsigned char file_Web_dist_docs_reference_schemas_html[] = {
#embed "../../Web/dist/docs_reference_schemas.html"
};
static const unsigned char file_Web_dist_docs_reference_sign_in_html[] = {
#embed "../../Web/dist/docs_reference_sign-in.html"
};
static const unsigned char file_Web_dist_docs_reference_streams_html[] = {
#embed "../../Web/dist/docs_reference_streams.html"
};
static const unsigned char file_Web_dist_docs_reference_surveys_html[] = {
#embed "../../Web/dist/docs_reference_surveys.html"
};
static const unsigned char file_Web_dist_docs_reference_tls_html[] = {
#embed "../../Web/dist/docs_reference_tls.html"
};
static const unsigned char file_Web_dist_docs_reference_webhooks_html[] = {
#embed "../../Web/dist/docs_reference_webhooks.html"
};
static const unsigned char file_Web_dist_docs_releasing_html[] = {
#embed "../../Web/dist/docs_releasing.html"
};
static const unsigned char file_Web_dist_docs_reliability_html[] = {
#embed "../../Web/dist/docs_reliability.html"
};
static const unsigned char file_Web_dist_docs_search_json[] = {
#embed "../../Web/dist/docs_search.json"
};
static const unsigned char file_Web_dist_docs_stability_html[] = {
#embed "../../Web/dist/docs_stability.html"
};
static const unsigned char file_Web_dist_docs_swift_html[] = {
#embed "../../Web/dist/docs_swift.html"
};
static const unsigned char file_Web_dist_docs_vectors_html[] = {
#embed "../../Web/dist/docs_vectors.html"
};
static const unsigned char file_Web_dist_docs_warehouse_html[] = {
#embed "../../Web/dist/docs_warehouse.html"
};
static const unsigned char file_Web_dist_docs_web_html[] = {
#embed "../../Web/dist/docs_web.html"
};
static const unsigned char file_Web_dist_edge_js[] = {
#embed "../../Web/dist/edge.js"
};
static const unsigned char file_Web_dist_edit_js[] = {
#embed "../../Web/dist/edit.js"
};
static const unsigned char file_Web_dist_explain_js[] = {
#embed "../../Web/dist/explain.js"
};
static const unsigned char file_Web_dist_fields_js[] = {
#embed "../../Web/dist/fields.js"
};
static const unsigned char file_Web_dist_figures_js[] = {
#embed "../../Web/dist/figures.js"
};
static const unsigned char file_Web_dist_frame_js[] = {
#embed "../../Web/dist/frame.js"
};
static const unsigned char file_Web_dist_goalband_svg[] = {
#embed "../../Web/dist/goalband.svg"
};
static const unsigned char file_Web_dist_goals_js[] = {
#embed "../../Web/dist/goals.js"
};
static const unsigned char file_Web_dist_health_js[] = {
#embed "../../Web/dist/health.js"
};
static const unsigned char file_Web_dist_history_js[] = {
#embed "../../Web/dist/history.js"
};
static const unsigned char file_Web_dist_icons_js[] = {
#embed "../../Web/dist/icons.js"
};
static const unsigned char file_Web_dist_judge_js[] = {
#embed "../../Web/dist/judge.js"
};
static const unsigned char file_Web_dist_lake_svg[] = {
#embed "../../Web/dist/lake.svg"
};
static const unsigned char file_Web_dist_llms_txt[] = {
#embed "../../Web/dist/llms.txt"
};
static const unsigned char file_Web_dist_look_js[] = {
#embed "../../Web/dist/look.js"
};
static const unsigned char file_Web_dist_me_js[] = {
#embed "../../Web/dist/me.js"
};
static const unsigned char file_Web_dist_page_js[] = {
#embed "../../Web/dist/page.js"
};
static const unsigned char file_Web_dist_people_js[] = {
#embed "../../Web/dist/people.js"
};
static const unsigned char file_Web_dist_pickers_js[] = {
#embed "../../Web/dist/pickers.js"
};
static const unsigned char file_Web_dist_qr_js[] = {
#embed "../../Web/dist/qr.js"
};
static const unsigned char file_Web_dist_render_js[] = {
#embed "../../Web/dist/render.js"
};
static const unsigned char file_Web_dist_responses_js[] = {
#embed "../../Web/dist/responses.js"
};
static const unsigned char file_Web_dist_results_js[] = {
#embed "../../Web/dist/results.js"
};
static const unsigned char file_Web_dist_review_js[] = {
#embed "../../Web/dist/review.js"
};
static const unsigned char file_Web_dist_ridge_svg[] = {
#embed "../../Web/dist/ridge.svg"
};
static const unsigned char file_Web_dist_sample_css[] = {
#embed "../../Web/dist/sample.css"
};
static const unsigned char file_Web_dist_sample_js[] = {
#embed "../../Web/dist/sample.js"
};
static const unsigned char file_Web_dist_severalnodes_svg[] = {
#embed "../../Web/dist/severalnodes.svg"
};
static const unsigned char file_Web_dist_sheet_js[] = {
#embed "../../Web/dist/sheet.js"
};
static const unsigned char file_Web_dist_size_js[] = {
#embed "../../Web/dist/size.js"
};
static const unsigned char file_Web_dist_stand_in_js[] = {
#embed "../../Web/dist/stand_in.js"
};
static const unsigned char file_Web_dist_steps_js[] = {
#embed "../../Web/dist/steps.js"
};
static const unsigned char file_Web_dist_summit_svg[] = {
#embed "../../Web/dist/summit.svg"
};
static const unsigned char file_Web_dist_texts_js[] = {
#embed "../../Web/dist/texts.js"
};
static const unsigned char file_Web_dist_texts_ar_js[] = {
#embed "../../Web/dist/texts_ar.js"
};
static const unsigned char file_Web_dist_texts_de_js[] = {
#embed "../../Web/dist/texts_de.js"
};
static const unsigned char file_Web_dist_texts_es_js[] = {
#embed "../../Web/dist/texts_es.js"
};
static const unsigned char file_Web_dist_texts_fr_js[] = {
#embed "../../Web/dist/texts_fr.js"
};
static const unsigned char file_Web_dist_texts_he_js[] = {
#embed "../../Web/dist/texts_he.js"
};
static const unsigned char file_Web_dist_texts_it_js[] = {
#embed "../../Web/dist/texts_it.js"
};
static const unsigned char file_Web_dist_texts_ja_js[] = {
#embed "../../Web/dist/texts_ja.js"
};
static const unsigned char file_Web_dist_texts_nl_js[] = {
#embed "../../Web/dist/texts_nl.js"
};
static const unsigned char file_Web_dist_texts_pl_js[] = {
#embed "../../Web/dist/texts_pl.js"
};
static const unsigned char file_Web_dist_texts_pt_js[] = {
#embed "../../Web/dist/texts_pt.js"
};
static const unsigned char file_Web_dist_trail_notes_html[] = {
#embed "../../Web/dist/trail-notes.html"
};
static const unsigned char file_Web_dist_wood_svg[] = {
#embed "../../Web/dist/wood.svg"
};
static const unsigned char file_Sources_CEmbedded_place_names_gz[] = {
#embed "../../Sources/CEmbedded/place-names.gz"
};

static const struct bellwether_embedded_file files[] = {
    {"docs/README.md", file_docs_README_md, sizeof file_docs_README_md},
    {"docs/coming-from/appdna.md", file_docs_coming_from_appdna_md, sizeof file_docs_coming_from_appdna_md},
    {"docs/coming-from/formbricks.md", file_docs_coming_from_formbricks_md, sizeof file_docs_coming_from_formbricks_md},
    {"docs/coming-from/nimbus.md", file_docs_coming_from_nimbus_md, sizeof file_docs_coming_from_nimbus_md},
    {"docs/coming-from/owlmetry.md", file_docs_coming_from_owlmetry_md, sizeof file_docs_coming_from_owlmetry_md},
    {"docs/coming-from/posthog.md", file_docs_coming_from_posthog_md, sizeof file_docs_coming_from_posthog_md},
    {"docs/coming-from/surveynative.md", file_docs_coming_from_surveynative_md, sizeof file_docs_coming_from_surveynative_md},
    {"docs/console.md", file_docs_console_md, sizeof file_docs_console_md},
    {"docs/did-it-work.md", file_docs_did_it_work_md, sizeof file_docs_did_it_work_md},
    {"docs/findings.md", file_docs_findings_md, sizeof file_docs_findings_md},
    {"docs/first-hour.md", file_docs_first_hour_md, sizeof file_docs_first_hour_md},
    {"docs/javascript.md", file_docs_javascript_md, sizeof file_docs_javascript_md},
    {"docs/metrics.md", file_docs_metrics_md, sizeof file_docs_metrics_md},
    {"docs/on-device.md", file_docs_on_device_md, sizeof file_docs_on_device_md},
    {"docs/operators-guide.md", file_docs_operators_guide_md, sizeof file_docs_operators_guide_md},
    {"docs/owners-guide.md", file_docs_owners_guide_md, sizeof file_docs_owners_guide_md},
    {"docs/performance.md", file_docs_performance_md, sizeof file_docs_performance_md},
    {"docs/python.md", file_docs_python_md, sizeof file_docs_python_md},
    {"docs/reference/audiences.md", file_docs_reference_audiences_md, sizeof file_docs_reference_audiences_md},
    {"docs/reference/data.md", file_docs_reference_data_md, sizeof file_docs_reference_data_md},
    {"docs/reference/events.md", file_docs_reference_events_md, sizeof file_docs_reference_events_md},
    {"docs/reference/experiments.md", file_docs_reference_experiments_md, sizeof file_docs_reference_experiments_md},
    {"docs/reference/expressions.md", file_docs_reference_expressions_md, sizeof file_docs_reference_expressions_md},
    {"docs/reference/features.md", file_docs_reference_features_md, sizeof file_docs_reference_features_md},
    {"docs/reference/flows.md", file_docs_reference_flows_md, sizeof file_docs_reference_flows_md},
    {"docs/reference/goals.md", file_docs_reference_goals_md, sizeof file_docs_reference_goals_md},
    {"docs/reference/http-api.md", file_docs_reference_http_api_md, sizeof file_docs_reference_http_api_md},
    {"docs/reference/mcp.md", file_docs_reference_mcp_md, sizeof file_docs_reference_mcp_md},
    {"docs/reference/messaging.md", file_docs_reference_messaging_md, sizeof file_docs_reference_messaging_md},
    {"docs/reference/rounds.md", file_docs_reference_rounds_md, sizeof file_docs_reference_rounds_md},
    {"docs/reference/schemas.md", file_docs_reference_schemas_md, sizeof file_docs_reference_schemas_md},
    {"docs/reference/sign-in.md", file_docs_reference_sign_in_md, sizeof file_docs_reference_sign_in_md},
    {"docs/reference/streams.md", file_docs_reference_streams_md, sizeof file_docs_reference_streams_md},
    {"docs/reference/surveys.md", file_docs_reference_surveys_md, sizeof file_docs_reference_surveys_md},
    {"docs/reference/tls.md", file_docs_reference_tls_md, sizeof file_docs_reference_tls_md},
    {"docs/reference/webhooks.md", file_docs_reference_webhooks_md, sizeof file_docs_reference_webhooks_md},
    {"docs/releasing.md", file_docs_releasing_md, sizeof file_docs_releasing_md},
    {"docs/reliability.md", file_docs_reliability_md, sizeof file_docs_reliability_md},
    {"docs/stability.md", file_docs_stability_md, sizeof file_docs_stability_md},
    {"docs/swift.md", file_docs_swift_md, sizeof file_docs_swift_md},
    {"docs/vectors.md", file_docs_vectors_md, sizeof file_docs_vectors_md},
    {"docs/warehouse.md", file_docs_warehouse_md, sizeof file_docs_warehouse_md},
    {"docs/web.md", file_docs_web_md, sizeof file_docs_web_md},
    {"docs/openapi.yaml", file_docs_openapi_yaml, sizeof file_docs_openapi_yaml},
    {"config/bellwether.yaml", file_config_bellwether_yaml, sizeof file_config_bellwether_yaml},
    {"ARCHITECTURE.md", file_ARCHITECTURE_md, sizeof file_ARCHITECTURE_md},
    {"CONTRIBUTING.md", file_CONTRIBUTING_md, sizeof file_CONTRIBUTING_md},
    {"SECURITY.md", file_SECURITY_md, sizeof file_SECURITY_md},
    {"Web/dist/access.js", file_Web_dist_access_js, sizeof file_Web_dist_access_js},
    {"Web/dist/audit.js", file_Web_dist_audit_js, sizeof file_Web_dist_audit_js},
    {"Web/dist/begin.js", file_Web_dist_begin_js, sizeof file_Web_dist_begin_js},
    {"Web/dist/bellwether.js", file_Web_dist_bellwether_js, sizeof file_Web_dist_bellwether_js},
    {"Web/dist/bellwether.mjs", file_Web_dist_bellwether_mjs, sizeof file_Web_dist_bellwether_mjs},
    {"Web/dist/blocks.js", file_Web_dist_blocks_js, sizeof file_Web_dist_blocks_js},
    {"Web/dist/changes.js", file_Web_dist_changes_js, sizeof file_Web_dist_changes_js},
    {"Web/dist/chat.js", file_Web_dist_chat_js, sizeof file_Web_dist_chat_js},
    {"Web/dist/chunk2QF3TYEP.js", file_Web_dist_chunk2QF3TYEP_js, sizeof file_Web_dist_chunk2QF3TYEP_js},
    {"Web/dist/chunk2SRKZWEJ.js", file_Web_dist_chunk2SRKZWEJ_js, sizeof file_Web_dist_chunk2SRKZWEJ_js},
    {"Web/dist/chunk3YM4QXDP.js", file_Web_dist_chunk3YM4QXDP_js, sizeof file_Web_dist_chunk3YM4QXDP_js},
    {"Web/dist/chunk5ELNTLJC.js", file_Web_dist_chunk5ELNTLJC_js, sizeof file_Web_dist_chunk5ELNTLJC_js},
    {"Web/dist/chunk6WF3C2ZC.js", file_Web_dist_chunk6WF3C2ZC_js, sizeof file_Web_dist_chunk6WF3C2ZC_js},
    {"Web/dist/chunk7UEGC5AS.js", file_Web_dist_chunk7UEGC5AS_js, sizeof file_Web_dist_chunk7UEGC5AS_js},
    {"Web/dist/chunkAUHBZFTX.js", file_Web_dist_chunkAUHBZFTX_js, sizeof file_Web_dist_chunkAUHBZFTX_js},
    {"Web/dist/chunkAZVEMRL5.js", file_Web_dist_chunkAZVEMRL5_js, sizeof file_Web_dist_chunkAZVEMRL5_js},
    {"Web/dist/chunkBBHA5HKU.js", file_Web_dist_chunkBBHA5HKU_js, sizeof file_Web_dist_chunkBBHA5HKU_js},
    {"Web/dist/chunkCBCI6JOP.js", file_Web_dist_chunkCBCI6JOP_js, sizeof file_Web_dist_chunkCBCI6JOP_js},
    {"Web/dist/chunkEMVATHFX.js", file_Web_dist_chunkEMVATHFX_js, sizeof file_Web_dist_chunkEMVATHFX_js},
    {"Web/dist/chunkERPO5JZX.js", file_Web_dist_chunkERPO5JZX_js, sizeof file_Web_dist_chunkERPO5JZX_js},
    {"Web/dist/chunkISOV2PF6.js", file_Web_dist_chunkISOV2PF6_js, sizeof file_Web_dist_chunkISOV2PF6_js},
    {"Web/dist/chunkJ222OIEV.js", file_Web_dist_chunkJ222OIEV_js, sizeof file_Web_dist_chunkJ222OIEV_js},
    {"Web/dist/chunkJ2RSQFCR.js", file_Web_dist_chunkJ2RSQFCR_js, sizeof file_Web_dist_chunkJ2RSQFCR_js},
    {"Web/dist/chunkJWMLA2EM.js", file_Web_dist_chunkJWMLA2EM_js, sizeof file_Web_dist_chunkJWMLA2EM_js},
    {"Web/dist/chunkK7H7O3O2.js", file_Web_dist_chunkK7H7O3O2_js, sizeof file_Web_dist_chunkK7H7O3O2_js},
    {"Web/dist/chunkO2PIFQQH.js", file_Web_dist_chunkO2PIFQQH_js, sizeof file_Web_dist_chunkO2PIFQQH_js},
    {"Web/dist/chunkOSIZC7EO.js", file_Web_dist_chunkOSIZC7EO_js, sizeof file_Web_dist_chunkOSIZC7EO_js},
    {"Web/dist/chunkRCTT4YJM.js", file_Web_dist_chunkRCTT4YJM_js, sizeof file_Web_dist_chunkRCTT4YJM_js},
    {"Web/dist/chunkRFY5TV6D.js", file_Web_dist_chunkRFY5TV6D_js, sizeof file_Web_dist_chunkRFY5TV6D_js},
    {"Web/dist/chunkRURTWEBA.js", file_Web_dist_chunkRURTWEBA_js, sizeof file_Web_dist_chunkRURTWEBA_js},
    {"Web/dist/chunkSJBT3RQW.js", file_Web_dist_chunkSJBT3RQW_js, sizeof file_Web_dist_chunkSJBT3RQW_js},
    {"Web/dist/chunkTJX5SS6L.js", file_Web_dist_chunkTJX5SS6L_js, sizeof file_Web_dist_chunkTJX5SS6L_js},
    {"Web/dist/chunkUHKPQDJ6.js", file_Web_dist_chunkUHKPQDJ6_js, sizeof file_Web_dist_chunkUHKPQDJ6_js},
    {"Web/dist/chunkV7YGJVIF.js", file_Web_dist_chunkV7YGJVIF_js, sizeof file_Web_dist_chunkV7YGJVIF_js},
    {"Web/dist/chunkVERUEKZM.js", file_Web_dist_chunkVERUEKZM_js, sizeof file_Web_dist_chunkVERUEKZM_js},
    {"Web/dist/chunkXGWADZSD.js", file_Web_dist_chunkXGWADZSD_js, sizeof file_Web_dist_chunkXGWADZSD_js},
    {"Web/dist/chunkY23QLEZT.js", file_Web_dist_chunkY23QLEZT_js, sizeof file_Web_dist_chunkY23QLEZT_js},
    {"Web/dist/chunkY2P4ZRDN.js", file_Web_dist_chunkY2P4ZRDN_js, sizeof file_Web_dist_chunkY2P4ZRDN_js},
    {"Web/dist/chunkY3X47XEC.js", file_Web_dist_chunkY3X47XEC_js, sizeof file_Web_dist_chunkY3X47XEC_js},
    {"Web/dist/chunkYPS7M5SN.js", file_Web_dist_chunkYPS7M5SN_js, sizeof file_Web_dist_chunkYPS7M5SN_js},
    {"Web/dist/chunkZ4AKZJOM.js", file_Web_dist_chunkZ4AKZJOM_js, sizeof file_Web_dist_chunkZ4AKZJOM_js},
    {"Web/dist/chunkZ4THBSH3.js", file_Web_dist_chunkZ4THBSH3_js, sizeof file_Web_dist_chunkZ4THBSH3_js},
    {"Web/dist/chunkZMPFDDKB.js", file_Web_dist_chunkZMPFDDKB_js, sizeof file_Web_dist_chunkZMPFDDKB_js},
    {"Web/dist/code.js", file_Web_dist_code_js, sizeof file_Web_dist_code_js},
    {"Web/dist/console.css", file_Web_dist_console_css, sizeof file_Web_dist_console_css},
    {"Web/dist/console.js", file_Web_dist_console_js, sizeof file_Web_dist_console_js},
    {"Web/dist/de.js", file_Web_dist_de_js, sizeof file_Web_dist_de_js},
    {"Web/dist/de_access.js", file_Web_dist_de_access_js, sizeof file_Web_dist_de_access_js},
    {"Web/dist/de_answers.js", file_Web_dist_de_answers_js, sizeof file_Web_dist_de_answers_js},
    {"Web/dist/de_begin.js", file_Web_dist_de_begin_js, sizeof file_Web_dist_de_begin_js},
    {"Web/dist/de_changes.js", file_Web_dist_de_changes_js, sizeof file_Web_dist_de_changes_js},
    {"Web/dist/de_conditions.js", file_Web_dist_de_conditions_js, sizeof file_Web_dist_de_conditions_js},
    {"Web/dist/de_editor.js", file_Web_dist_de_editor_js, sizeof file_Web_dist_de_editor_js},
    {"Web/dist/de_explain.js", file_Web_dist_de_explain_js, sizeof file_Web_dist_de_explain_js},
    {"Web/dist/de_findings.js", file_Web_dist_de_findings_js, sizeof file_Web_dist_de_findings_js},
    {"Web/dist/de_goals.js", file_Web_dist_de_goals_js, sizeof file_Web_dist_de_goals_js},
    {"Web/dist/de_keys.js", file_Web_dist_de_keys_js, sizeof file_Web_dist_de_keys_js},
    {"Web/dist/de_questions.js", file_Web_dist_de_questions_js, sizeof file_Web_dist_de_questions_js},
    {"Web/dist/de_responses.js", file_Web_dist_de_responses_js, sizeof file_Web_dist_de_responses_js},
    {"Web/dist/de_results.js", file_Web_dist_de_results_js, sizeof file_Web_dist_de_results_js},
    {"Web/dist/de_review.js", file_Web_dist_de_review_js, sizeof file_Web_dist_de_review_js},
    {"Web/dist/de_run.js", file_Web_dist_de_run_js, sizeof file_Web_dist_de_run_js},
    {"Web/dist/de_texts.js", file_Web_dist_de_texts_js, sizeof file_Web_dist_de_texts_js},
    {"Web/dist/digests", file_Web_dist_digests, sizeof file_Web_dist_digests},
    {"Web/dist/docs.css", file_Web_dist_docs_css, sizeof file_Web_dist_docs_css},
    {"Web/dist/docs.js", file_Web_dist_docs_js, sizeof file_Web_dist_docs_js},
    {"Web/dist/docs_ARCHITECTURE.html", file_Web_dist_docs_ARCHITECTURE_html, sizeof file_Web_dist_docs_ARCHITECTURE_html},
    {"Web/dist/docs_CONTRIBUTING.html", file_Web_dist_docs_CONTRIBUTING_html, sizeof file_Web_dist_docs_CONTRIBUTING_html},
    {"Web/dist/docs_README.html", file_Web_dist_docs_README_html, sizeof file_Web_dist_docs_README_html},
    {"Web/dist/docs_SECURITY.html", file_Web_dist_docs_SECURITY_html, sizeof file_Web_dist_docs_SECURITY_html},
    {"Web/dist/docs_coming-from_appdna.html", file_Web_dist_docs_coming_from_appdna_html, sizeof file_Web_dist_docs_coming_from_appdna_html},
    {"Web/dist/docs_coming-from_formbricks.html", file_Web_dist_docs_coming_from_formbricks_html, sizeof file_Web_dist_docs_coming_from_formbricks_html},
    {"Web/dist/docs_coming-from_nimbus.html", file_Web_dist_docs_coming_from_nimbus_html, sizeof file_Web_dist_docs_coming_from_nimbus_html},
    {"Web/dist/docs_coming-from_owlmetry.html", file_Web_dist_docs_coming_from_owlmetry_html, sizeof file_Web_dist_docs_coming_from_owlmetry_html},
    {"Web/dist/docs_coming-from_posthog.html", file_Web_dist_docs_coming_from_posthog_html, sizeof file_Web_dist_docs_coming_from_posthog_html},
    {"Web/dist/docs_coming-from_surveynative.html", file_Web_dist_docs_coming_from_surveynative_html, sizeof file_Web_dist_docs_coming_from_surveynative_html},
    {"Web/dist/docs_console.html", file_Web_dist_docs_console_html, sizeof file_Web_dist_docs_console_html},
    {"Web/dist/docs_did-it-work.html", file_Web_dist_docs_did_it_work_html, sizeof file_Web_dist_docs_did_it_work_html},
    {"Web/dist/docs_findings.html", file_Web_dist_docs_findings_html, sizeof file_Web_dist_docs_findings_html},
    {"Web/dist/docs_first-hour.html", file_Web_dist_docs_first_hour_html, sizeof file_Web_dist_docs_first_hour_html},
    {"Web/dist/docs_javascript.html", file_Web_dist_docs_javascript_html, sizeof file_Web_dist_docs_javascript_html},
    {"Web/dist/docs_metrics.html", file_Web_dist_docs_metrics_html, sizeof file_Web_dist_docs_metrics_html},
    {"Web/dist/docs_on-device.html", file_Web_dist_docs_on_device_html, sizeof file_Web_dist_docs_on_device_html},
    {"Web/dist/docs_operators-guide.html", file_Web_dist_docs_operators_guide_html, sizeof file_Web_dist_docs_operators_guide_html},
    {"Web/dist/docs_owners-guide.html", file_Web_dist_docs_owners_guide_html, sizeof file_Web_dist_docs_owners_guide_html},
    {"Web/dist/docs_performance.html", file_Web_dist_docs_performance_html, sizeof file_Web_dist_docs_performance_html},
    {"Web/dist/docs_python.html", file_Web_dist_docs_python_html, sizeof file_Web_dist_docs_python_html},
    {"Web/dist/docs_reference_audiences.html", file_Web_dist_docs_reference_audiences_html, sizeof file_Web_dist_docs_reference_audiences_html},
    {"Web/dist/docs_reference_data.html", file_Web_dist_docs_reference_data_html, sizeof file_Web_dist_docs_reference_data_html},
    {"Web/dist/docs_reference_events.html", file_Web_dist_docs_reference_events_html, sizeof file_Web_dist_docs_reference_events_html},
    {"Web/dist/docs_reference_experiments.html", file_Web_dist_docs_reference_experiments_html, sizeof file_Web_dist_docs_reference_experiments_html},
    {"Web/dist/docs_reference_expressions.html", file_Web_dist_docs_reference_expressions_html, sizeof file_Web_dist_docs_reference_expressions_html},
    {"Web/dist/docs_reference_features.html", file_Web_dist_docs_reference_features_html, sizeof file_Web_dist_docs_reference_features_html},
    {"Web/dist/docs_reference_flows.html", file_Web_dist_docs_reference_flows_html, sizeof file_Web_dist_docs_reference_flows_html},
    {"Web/dist/docs_reference_goals.html", file_Web_dist_docs_reference_goals_html, sizeof file_Web_dist_docs_reference_goals_html},
    {"Web/dist/docs_reference_http-api.html", file_Web_dist_docs_reference_http_api_html, sizeof file_Web_dist_docs_reference_http_api_html},
    {"Web/dist/docs_reference_mcp.html", file_Web_dist_docs_reference_mcp_html, sizeof file_Web_dist_docs_reference_mcp_html},
    {"Web/dist/docs_reference_messaging.html", file_Web_dist_docs_reference_messaging_html, sizeof file_Web_dist_docs_reference_messaging_html},
    {"Web/dist/docs_reference_rounds.html", file_Web_dist_docs_reference_rounds_html, sizeof file_Web_dist_docs_reference_rounds_html},
    {"Web/dist/docs_reference_schemas.html", file_Web_dist_docs_reference_schemas_html, sizeof file_Web_dist_docs_reference_schemas_html},
    {"Web/dist/docs_reference_sign-in.html", file_Web_dist_docs_reference_sign_in_html, sizeof file_Web_dist_docs_reference_sign_in_html},
    {"Web/dist/docs_reference_streams.html", file_Web_dist_docs_reference_streams_html, sizeof file_Web_dist_docs_reference_streams_html},
    {"Web/dist/docs_reference_surveys.html", file_Web_dist_docs_reference_surveys_html, sizeof file_Web_dist_docs_reference_surveys_html},
    {"Web/dist/docs_reference_tls.html", file_Web_dist_docs_reference_tls_html, sizeof file_Web_dist_docs_reference_tls_html},
    {"Web/dist/docs_reference_webhooks.html", file_Web_dist_docs_reference_webhooks_html, sizeof file_Web_dist_docs_reference_webhooks_html},
    {"Web/dist/docs_releasing.html", file_Web_dist_docs_releasing_html, sizeof file_Web_dist_docs_releasing_html},
    {"Web/dist/docs_reliability.html", file_Web_dist_docs_reliability_html, sizeof file_Web_dist_docs_reliability_html},
    {"Web/dist/docs_search.json", file_Web_dist_docs_search_json, sizeof file_Web_dist_docs_search_json},
    {"Web/dist/docs_stability.html", file_Web_dist_docs_stability_html, sizeof file_Web_dist_docs_stability_html},
    {"Web/dist/docs_swift.html", file_Web_dist_docs_swift_html, sizeof file_Web_dist_docs_swift_html},
    {"Web/dist/docs_vectors.html", file_Web_dist_docs_vectors_html, sizeof file_Web_dist_docs_vectors_html},
    {"Web/dist/docs_warehouse.html", file_Web_dist_docs_warehouse_html, sizeof file_Web_dist_docs_warehouse_html},
    {"Web/dist/docs_web.html", file_Web_dist_docs_web_html, sizeof file_Web_dist_docs_web_html},
    {"Web/dist/edge.js", file_Web_dist_edge_js, sizeof file_Web_dist_edge_js},
    {"Web/dist/edit.js", file_Web_dist_edit_js, sizeof file_Web_dist_edit_js},
    {"Web/dist/explain.js", file_Web_dist_explain_js, sizeof file_Web_dist_explain_js},
    {"Web/dist/fields.js", file_Web_dist_fields_js, sizeof file_Web_dist_fields_js},
    {"Web/dist/figures.js", file_Web_dist_figures_js, sizeof file_Web_dist_figures_js},
    {"Web/dist/frame.js", file_Web_dist_frame_js, sizeof file_Web_dist_frame_js},
    {"Web/dist/goalband.svg", file_Web_dist_goalband_svg, sizeof file_Web_dist_goalband_svg},
    {"Web/dist/goals.js", file_Web_dist_goals_js, sizeof file_Web_dist_goals_js},
    {"Web/dist/health.js", file_Web_dist_health_js, sizeof file_Web_dist_health_js},
    {"Web/dist/history.js", file_Web_dist_history_js, sizeof file_Web_dist_history_js},
    {"Web/dist/icons.js", file_Web_dist_icons_js, sizeof file_Web_dist_icons_js},
    {"Web/dist/judge.js", file_Web_dist_judge_js, sizeof file_Web_dist_judge_js},
    {"Web/dist/lake.svg", file_Web_dist_lake_svg, sizeof file_Web_dist_lake_svg},
    {"Web/dist/llms.txt", file_Web_dist_llms_txt, sizeof file_Web_dist_llms_txt},
    {"Web/dist/look.js", file_Web_dist_look_js, sizeof file_Web_dist_look_js},
    {"Web/dist/me.js", file_Web_dist_me_js, sizeof file_Web_dist_me_js},
    {"Web/dist/page.js", file_Web_dist_page_js, sizeof file_Web_dist_page_js},
    {"Web/dist/people.js", file_Web_dist_people_js, sizeof file_Web_dist_people_js},
    {"Web/dist/pickers.js", file_Web_dist_pickers_js, sizeof file_Web_dist_pickers_js},
    {"Web/dist/qr.js", file_Web_dist_qr_js, sizeof file_Web_dist_qr_js},
    {"Web/dist/render.js", file_Web_dist_render_js, sizeof file_Web_dist_render_js},
    {"Web/dist/responses.js", file_Web_dist_responses_js, sizeof file_Web_dist_responses_js},
    {"Web/dist/results.js", file_Web_dist_results_js, sizeof file_Web_dist_results_js},
    {"Web/dist/review.js", file_Web_dist_review_js, sizeof file_Web_dist_review_js},
    {"Web/dist/ridge.svg", file_Web_dist_ridge_svg, sizeof file_Web_dist_ridge_svg},
    {"Web/dist/sample.css", file_Web_dist_sample_css, sizeof file_Web_dist_sample_css},
    {"Web/dist/sample.js", file_Web_dist_sample_js, sizeof file_Web_dist_sample_js},
    {"Web/dist/severalnodes.svg", file_Web_dist_severalnodes_svg, sizeof file_Web_dist_severalnodes_svg},
    {"Web/dist/sheet.js", file_Web_dist_sheet_js, sizeof file_Web_dist_sheet_js},
    {"Web/dist/size.js", file_Web_dist_size_js, sizeof file_Web_dist_size_js},
    {"Web/dist/stand_in.js", file_Web_dist_stand_in_js, sizeof file_Web_dist_stand_in_js},
    {"Web/dist/steps.js", file_Web_dist_steps_js, sizeof file_Web_dist_steps_js},
    {"Web/dist/summit.svg", file_Web_dist_summit_svg, sizeof file_Web_dist_summit_svg},
    {"Web/dist/texts.js", file_Web_dist_texts_js, sizeof file_Web_dist_texts_js},
    {"Web/dist/texts_ar.js", file_Web_dist_texts_ar_js, sizeof file_Web_dist_texts_ar_js},
    {"Web/dist/texts_de.js", file_Web_dist_texts_de_js, sizeof file_Web_dist_texts_de_js},
    {"Web/dist/texts_es.js", file_Web_dist_texts_es_js, sizeof file_Web_dist_texts_es_js},
    {"Web/dist/texts_fr.js", file_Web_dist_texts_fr_js, sizeof file_Web_dist_texts_fr_js},
    {"Web/dist/texts_he.js", file_Web_dist_texts_he_js, sizeof file_Web_dist_texts_he_js},
    {"Web/dist/texts_it.js", file_Web_dist_texts_it_js, sizeof file_Web_dist_texts_it_js},
    {"Web/dist/texts_ja.js", file_Web_dist_texts_ja_js, sizeof file_Web_dist_texts_ja_js},
    {"Web/dist/texts_nl.js", file_Web_dist_texts_nl_js, sizeof file_Web_dist_texts_nl_js},
    {"Web/dist/texts_pl.js", file_Web_dist_texts_pl_js, sizeof file_Web_dist_texts_pl_js},
    {"Web/dist/texts_pt.js", file_Web_dist_texts_pt_js, sizeof file_Web_dist_texts_pt_js},
    {"Web/dist/trail-notes.html", file_Web_dist_trail_notes_html, sizeof file_Web_dist_trail_notes_html},
    {"Web/dist/wood.svg", file_Web_dist_wood_svg, sizeof file_Web_dist_wood_svg},
    {"Sources/CEmbedded/place-names.gz", file_Sources_CEmbedded_place_names_gz, sizeof file_Sources_CEmbedded_place_names_gz},
};

const struct bellwether_embedded_file *bellwether_embedded_file(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
