package web_test

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"svc/web/apiv1"
)

// notReadByID are lists whose rows are not read one by one, each with its reason.
var notReadByID = map[string]string{
	"conversations.list_notes":         "notes of one conversation",
	"inbox_views.list":                 "at most 50 of a person, always shown whole",
	"funnels.list":                     "read at /ai/funnels/{id}",
	"offers.list":                      "changed by id; a business always shows all",
	"identities.list":                  "changed by id; a business has few",
	"communication_profiles.list":      "changed by id; always shown whole",
	"language_profiles.list":           "the same",
	"handoffs.list":                    "changed by id; the open one is in its conversation",
	"members.list":                     "changed by id; the list of a team is short",
	"invitations.list":                 "an invitation is looked up by its token",
	"suppressions.list":                "found by messenger_id or username",
	"notifications.list":               "marked by id, read in the list",
	"audit.list":                       "found by filters; entries are proved as a chain",
	"me.sessions":                      "ended by id",
	"me.passkeys":                      "renamed and deleted by id; a person has ten at most",
	"support_sessions.list":            "the accesses of one are its list",
	"admin.list_support":               "the accesses of one are its list",
	"campaigns.recipients":             "rows of one campaign",
	"webhooks.deliveries":              "the latest 100 of one webhook",
	"proxies.checks":                   "the latest 100 of one proxy",
	"ai.list_providers":                "at most 20, always shown whole; changed by id",
	"ai.catalog":                       "a model is found by provider_kind and name",
	"ai.list_models":                   "the same",
	"ai.list_prompts":                  "its versions are read by its id",
	"ai.list_budgets":                  "replaced together",
	"cases.list":                       "changed by id; a dimension has few",
	"ai.list_dataset_items":            "read in the list of their dataset; never changed",
	"ai.list_evaluation_results":       "read in the list of their evaluation; never changed",
	"knowledge.list_gaps":              "only taken off the list",
	"channels.marketing_subscriptions": "read in the list of their account; never changed here",
	"channels.private_replies":         "read in the list of their account",
	"calendar.actions":                 "confirmed and rejected by id, read in the list",
	"social.comments":                  "read in the list of their post",
	"leads.list":                       "one of a conversation, which shows it",
	"ai_memory.list":                   "at most 50 of a conversation; only deleted",
	"admin.list_ai_models":             "changed by id",
	"admin.list_audit":                 "found by filters; entries are proved as a chain",
	"admin.list_users":                 "changed by id; the list finds by name and address",
	"admin.list_tasks":                 "retried and dropped by id",
	"admin.list_accounts":              "GET /accounts/{id} in a support session",
	"admin.list_proxies":               "GET /proxies/{id} in a support session",
	"admin.list_campaigns":             "GET /campaigns/{id} in a support session",
	"admin.list_abuse_reports":         "changed by id",
}

// TestReadByID: what a list shows with an id can be read by it, as the same row
// (contract 21.2).
func TestReadByID(t *testing.T) {
	a := openApp(t)
	list := a.Endpoints()
	doc := apiv1.New(apiv1.Config{DB: a.DB, Endpoints: list, Log: slog.New(slog.DiscardHandler)}).Document()
	schemas := doc.Components.Schemas
	var found []string
	for i := range list {
		e := &list[i]
		if e.Method != "GET" {
			continue
		}
		row := rowOf(schemas, answerOf(doc, e.Path))
		if row == nil || row.Properties["id"] == nil {
			continue
		}
		found = append(found, e.ID)
		one := answerOf(doc, e.Path+"/{id}")
		if one == nil {
			if notReadByID[e.ID] == "" {
				t.Errorf("%s shows rows with an id, and there is no GET %s/{id}", e.ID, e.Path)
			}
			continue
		}
		for name := range row.Properties {
			if deref(schemas, one).Properties[name] == nil {
				t.Errorf("GET %s/{id} lacks %s, which the list has", e.Path, name)
			}
		}
	}
	for id := range notReadByID {
		if !slices.Contains(found, id) {
			t.Errorf("%s is no list", id)
		}
	}
	for _, path := range []string{"/templates/{id}", "/api-keys/{id}", "/events/{id}", "/jobs/{id}", "/attachments/{id}"} {
		if answerOf(doc, path) == nil {
			t.Errorf("there is no GET %s", path)
		}
	}
}

// answerOf is the schema of the JSON answer of a GET, nil for none.
func answerOf(doc *huma.OpenAPI, path string) *huma.Schema {
	item := doc.Paths[path]
	if item == nil || item.Get == nil || item.Get.Responses["200"] == nil {
		return nil
	}
	body := item.Get.Responses["200"].Content["application/json"]
	if body == nil {
		return nil
	}
	return body.Schema
}

// rowOf is the schema of the rows of a list {data, total, limit, offset}, nil for other answers.
func rowOf(r huma.Registry, s *huma.Schema) *huma.Schema {
	s = deref(r, s)
	if s == nil || s.Properties["data"] == nil || s.Properties["offset"] == nil || s.Properties["data"].Items == nil {
		return nil
	}
	return deref(r, s.Properties["data"].Items)
}

func deref(r huma.Registry, s *huma.Schema) *huma.Schema {
	if s != nil && strings.HasPrefix(s.Ref, "#/") {
		return r.SchemaFromRef(s.Ref)
	}
	return s
}
