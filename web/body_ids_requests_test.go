package web_test

// asking is a request with an id in its query, its body or a header, where it says ID.
// of is the collection that the id is of; {/lists} is what the caller has of one.
type asking struct{ method, path, body, of string }

// asForm and asSource are the bodies that are sent as forms; the others are JSON.
const asForm = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nusername\niroda\n\r\n" +
	"--x\r\nContent-Disposition: form-data; name=\"list_id\"\r\n\r\nID\r\n--x--\r\n"

// asSource is a source of knowledge as a form.
const asSource = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nLola\n\r\n" +
	"--x\r\nContent-Disposition: form-data; name=\"business_id\"\r\n\r\nID\r\n--x--\r\n"

// reauth needs an account that is signed out.
const reauth = "/accounts/{/accounts}/reauth"

const businessPath = "/ai/businesses/{/ai/businesses}"

const conversationPath = "/ai/conversations/{/ai/conversations}"

// askings has every field that the description shows as an id.
var askings = []asking{
	{"POST", "/lists/{/lists}/members", `{"recipient_ids":["ID"]}`, "/recipients"},
	{"DELETE", "/lists/{/lists}/members", `{"recipient_ids":["ID"]}`, "/recipients"},
	{"DELETE", "/lists/{/lists}/members?recipient_ids=ID", "", "/recipients"},
	{"POST", "/recipients/bulk", `{"action":"tag","tags":["x"],"recipient_ids":["ID"]}`, "/recipients"},
	{"POST", "/recipients/bulk", `{"action":"delete","recipient_ids":["ID"]}`, "/recipients"},
	{"POST", "/recipients/bulk", `{"action":"add_to_list","list_id":"ID","recipient_ids":["{/recipients}"]}`, "/lists"},
	{"POST", "/recipients/bulk", `{"action":"opt_out","filter":{"list_id":"ID"}}`, "/lists"},
	{"POST", "/recipients", `{"username":"iroda","list_ids":["ID"]}`, "/lists"},
	{"POST", "/recipients/import", `{"list_id":"ID","records":[{"username":"iroda"}]}`, "/lists"},
	{"POST", "/recipients/import", asForm, "/lists"},
	{"GET", "/recipients?list_id=ID", "", "/lists"},
	{"POST", "/messages/preview", `{"message":{"text":"x"},"recipient_id":"ID"}`, "/recipients"},
	{"POST", "/messages/preview", `{"message":{"template_id":"ID"}}`, "/templates"},
	{"POST", "/messages/preview", `{"message":{"text":"x","attachment_ids":["ID"]}}`, "/attachments"},
	{"POST", "/templates", `{"name":"Other","text":"x","attachment_ids":["ID"]}`, "/attachments"},
	{"PATCH", "/templates/{/templates}", `{"attachment_ids":["ID"]}`, "/attachments"},
	{"POST", "/campaigns", `{"name":"x","audience":{"list_ids":["ID"]}}`, "/lists"},
	{"POST", "/campaigns", `{"name":"x","audience":{"recipient_ids":["ID"]}}`, "/recipients"},
	{"POST", "/campaigns", `{"name":"x","audience":{"everyone":true,"exclude":{"list_ids":["ID"]}}}`, "/lists"},
	{"POST", "/campaigns", `{"name":"x","audience":{"everyone":true,"exclude":{"campaign_ids":["ID"]}}}`, "/campaigns"},
	{"POST", "/campaigns", `{"name":"x","message":{"template_id":"ID"}}`, "/templates"},
	{"POST", "/campaigns", `{"name":"x","message":{"text":"x","attachment_ids":["ID"]}}`, "/attachments"},
	{"POST", "/campaigns", `{"name":"x","account_ids":["ID"]}`, "/accounts"},
	{"PATCH", "/campaigns/{/campaigns}", `{"audience":{"list_ids":["ID"]}}`, "/lists"},
	{"PATCH", "/campaigns/{/campaigns}", `{"audience":{"recipient_ids":["ID"]}}`, "/recipients"},
	{"PATCH", "/campaigns/{/campaigns}", `{"audience":{"exclude":{"list_ids":["ID"]}}}`, "/lists"},
	{"PATCH", "/campaigns/{/campaigns}", `{"audience":{"exclude":{"campaign_ids":["ID"]}}}`, "/campaigns"},
	{"PATCH", "/campaigns/{/campaigns}", `{"message":{"template_id":"ID"}}`, "/templates"},
	{"PATCH", "/campaigns/{/campaigns}", `{"message":{"text":"x","attachment_ids":["ID"]}}`, "/attachments"},
	{"PATCH", "/campaigns/{/campaigns}", `{"account_ids":["ID"]}`, "/accounts"},
	{"POST", "/campaigns/{/campaigns}/preview", `{"recipient_id":"ID"}`, "/recipients"},
	{"GET", "/campaigns/{/campaigns}/recipients?account_id=ID", "", "/accounts"},
	{"GET", "/recipients/{/recipients}/reachability?campaign_id=ID", "", "/campaigns"},
	{"GET", "/jobs?campaign_id=ID", "", "/campaigns"},
	{"GET", "/jobs?account_id=ID", "", "/accounts"},
	{"POST", "/notifications/read", `{"ids":["ID"]}`, "/notifications"},
	{"GET", "/events?resource_id=ID", "", "/webhooks"},
	{"GET", "/events?after=ID", "", "/events"},
	{"GET", "/events/stream?resource_id=ID", "", "/webhooks"},
	{"GET", "/events/stream?types=webhook.disabled&last_event_id=ID", "", "/events"},
	{"GET", "/events/stream?types=webhook.disabled", "Last-Event-ID", "/events"},
	{"GET", "/audit-logs?resource_id=ID", "", "/webhooks"},
	{"GET", "/audit-logs?actor_id=ID", "", "/api-keys"},
	{"POST", "/accounts/{/accounts}/test-message", `{"recipient_id":"ID"}`, "/recipients"},
	{"POST", conversationPath + "/reply", `{"text":"Salom","upload_ids":["ID"]}`, "/ai/conversations/{id}/uploads"},
	{"POST", conversationPath + "/reply", `{"text":"Salom","reply_to_message_id":"ID"}`, "/ai/conversations/{id}/messages"},
	{"POST", reauth, `{"phone":"{phone}","proxy_id":"ID"}`, "/proxies"},
	{"POST", "/accounts", `{"phone":"+998900009999","proxy_id":"ID"}`, "/proxies"},
	{"PATCH", "/accounts/{/accounts}", `{"proxy_id":"ID"}`, "/proxies"},
	{"POST", "/proxies/bulk", `{"action":"delete","proxy_ids":["ID"]}`, "/proxies"},
	{"POST", "/me/passkeys", `{"challenge_id":"ID","name":"Key","credential":{"id":"AAAA","type":"public-key","response":{"clientDataJSON":"AAAA"}}}`, "/me/passkeys/begin"},
	{"DELETE", "/me/push-subscriptions?id=ID", "", "/me/push-subscriptions"},
	{"POST", "/me/switch-organization", `{"organization_id":"ID"}`, "/organization"},
	{"POST", "/ai/playground/run", `{"business_id":"ID","messages":[{"author":"CUSTOMER","text":"Narxi?"}]}`, "/ai/businesses"},
	{"POST", "/ai/playground/run", `{"business_id":"{/ai/businesses}","messages":[{"author":"CUSTOMER","text":"Narxi?"}],"provider_id":"ID","model":"gpt-5"}`, "/ai/providers"},
	{"POST", "/ai/conversations/simulate", `{"account_id":"ID","customer":{"name":"Nodira"},"text":"Salom"}`, "/accounts"},
	{"POST", "/ai/compose", `{"task":"WRITE","brief":"Spring","language":"en","provider_id":"ID","model":"gpt-5"}`, "/ai/providers"},
	{"PATCH", "/ai/agents/SELLER/config", `{"chain":[{"provider_id":"ID","model":"gpt-5"}]}`, "/ai/providers"},
	{"GET", "/ai/executions?conversation_id=ID", "", "/ai/conversations"},
	{"GET", "/ai/conversations?account_id=ID", "", "/accounts"},
	{"GET", "/ai/leads?business_id=ID", "", "/ai/businesses"},
	{"GET", "/ai/leads?funnel_id=ID", "", "/ai/funnels"},
	{"GET", "/ai/sales-pipeline?business_id=ID", "", "/ai/businesses"},
	{"GET", "/ai/analytics?business_id=ID", "", "/ai/businesses"},
	{"GET", "/ai/performance?business_id=ID", "", "/ai/businesses"},
	{"GET", "/ai/memory?conversation_id=ID", "", "/ai/conversations"},
	{"GET", "/ai/memory?recipient_id=ID", "", "/recipients"},
	{"GET", "/ai/conversations?assigned_user_id=ID", "", "/me"},
	{"GET", "/ai/handoffs?assigned_user_id=ID", "", "/me"},
	{"POST", conversationPath + "/assign", `{"user_id":"ID"}`, "/me"},
	{"POST", conversationPath + "/notes", `{"text":"Ask Anvar","mention_user_ids":["ID"]}`, "/me"},
	{"POST", "/ai/inbox/views", `{"name":"Waiting","filter":{"account_id":"ID"}}`, "/accounts"},
	{"POST", "/ai/inbox/views", `{"name":"Waiting","filter":{"assigned_user_id":"ID"}}`, "/me"},
	{"PATCH", "/ai/handoffs/{/ai/handoffs}", `{"assigned_user_id":"ID"}`, "/me"},
	{"PUT", businessPath + "/accounts", `{"accounts":[{"account_id":"ID"}]}`, "/accounts"},
	{"PUT", businessPath + "/seller-settings", `{"identity_id":"ID"}`, "/ai/identities"},
	{"PUT", businessPath + "/seller-settings", `{"funnel_id":"ID"}`, "/ai/funnels"},
	{"PUT", businessPath + "/seller-settings", `{"communication_profile_id":"ID"}`, "/ai/communication-profiles"},
	{"PUT", businessPath + "/seller-settings", `{"language_profile_ids":["ID"]}`, "/ai/language-profiles"},
	{"PUT", businessPath + "/seller-settings", `{"handoff_rules":{"COMPLAINT":{"enabled":true,"notify_user_ids":["ID"]}}}`, "/me"},
	{"POST", "/ai/knowledge/sources", `{"type":"FAQ","question":"a","answer":"b","business_id":"ID"}`, "/ai/businesses"},
	{"POST", "/ai/knowledge/sources", asSource, "/ai/businesses"},
	{"GET", "/ai/knowledge/sources?business_id=ID", "", "/ai/businesses"},
	{"GET", "/ai/knowledge/search?q=lola&business_id=ID", "", "/ai/businesses"},
	{"POST", "/ai/research", `{"topic":"Lola","business_id":"ID"}`, "/ai/businesses"},
	{"GET", "/ai/research?business_id=ID", "", "/ai/businesses"},
	{"PUT", conversationPath + "/cases/DEMAND", `{"case_id":"ID"}`, "/ai/cases"},
	{"GET", "/ai/insights/boards/DEMAND?business_id=ID", "", "/ai/businesses"},
	{"GET", "/ai/insights/boards/DEMAND/cases/{/ai/cases}/conversations?business_id=ID", "", "/ai/businesses"},
	{"POST", "/ai/insights/boards/DEMAND/narrative", `{"locale":"uz","business_id":"ID"}`, "/ai/businesses"},
	{"POST", "/ai/insights/backfill", `{"from":"2026-11-01","to":"2026-11-20","business_id":"ID","dry_run":true}`, "/ai/businesses"},
	{"POST", conversationPath + "/platform-read", `{"up_to_message_id":"ID"}`, "/ai/conversations/{id}/messages"},
}
