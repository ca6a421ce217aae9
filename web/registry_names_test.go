package web_test

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"svc/web/apiv1"
)

// namedOtherwise are fields of rows that hold ids and have no object with a name beside
// them, each with its reason. A name before the dot is the operation, none is any.
var namedOtherwise = map[string]string{
	".messenger_id":                   "a number of the messenger, no record of ours",
	".platform_message_id":            "a number of the messenger, no record of ours",
	".request_id":                     "of a request, which nothing is kept of but its log line",
	".support_session_id":             "a support session has no name; the row names who acted",
	".conversation_id":                "the row names the customer; handoffs name theirs",
	".open_handoff_id":                "a handoff has no name",
	".pending_draft_id":               "a draft has no name",
	"conversations.list.business_id":  "businesses come with the seller",
	".message_id":                     "a message has no name",
	".source_message_id":              "a message has no name",
	".event_id":                       "an event has no name; event_type is beside it",
	"accounts.list.business_id":       "businesses come with the calendar",
	"ai.list_agents.business_id":      "the filter of the list, or of the business that was asked for",
	"ai.list_prompts.business_id":     "the filter of the list, or of the business that was asked for",
	"ai.list_executions.business_id":  "the filter of the list, or of the business that was asked for",
	".platform_user_id":               "the network's id of a person; the conversation names them",
	".post_ids":                       "the network's ids of posts, which are not kept here",
	"calendar.actions.decision_id":    "a decision has no name",
	".agent_execution_id":             "an execution has no name",
	".external_id":                    "the network's id of what the row is",
	".private_reply_id":               "a private reply has no name",
	"social.comments.parent_id":       "a comment has no name; its words are in another row",
	".comment_id":                     "the network's id of a comment, whose words are in the row",
	".post_external_id":               "the network's id of a post, which is not kept here",
	".execution_id":                   "an execution has no name",
	".trigger_message_id":             "a message has no name",
	".target_id":                      "a message, draft, execution or decision has no name",
	".item_id":                        "an item has no name",
	".feedback_id":                    "feedback has no name",
	".baseline_id":                    "the evaluation of the active version; it is opened by its id",
	".winner_variant_id":              "variants has their names",
	".leader_variant_id":              "variants has their names",
	"admin.list_accounts.business_id": "businesses come with the calendar",
	"events.list.organization_id":     "the caller's own; what data names is in names",
	"admin.billing.organization_id":   "the row is the organization, with its name",
}

// namedBy are the fields with the name of what a field without _id holds the id of.
var namedBy = map[string]string{"created_by": "creator", "invited_by": "inviter", "assigned_to": "assignee"}

// TestListsNameWhatTheyMention: beside each id in the rows of a list stands an object
// {id, name} for people (contract 21.2).
func TestListsNameWhatTheyMention(t *testing.T) {
	a := openApp(t)
	list := a.Endpoints()
	doc := apiv1.New(apiv1.Config{DB: a.DB, Endpoints: list, Log: slog.New(slog.DiscardHandler)}).Document()
	schemas, unused, found := doc.Components.Schemas, map[string]bool{}, 0
	for key := range namedOtherwise {
		unused[key] = true
	}
	for i := range list {
		e := &list[i]
		if e.Method != "GET" {
			continue
		}
		row := rowOf(schemas, answerOf(doc, e.Path))
		if row == nil {
			continue
		}
		for field := range row.Properties {
			object, several := objectOf(field)
			if object == "" {
				continue
			}
			found++
			if key := exceptionOf(e.ID, field); key != "" {
				delete(unused, key)
				continue
			}
			if !names(schemas, row.Properties[object], several) {
				t.Errorf("%s: rows have %s, and no %s with {id, name}", e.ID, field, object)
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d ids were found in the rows of lists", found)
	}
	for key := range unused {
		t.Errorf("no list has what the exception %q is for", key)
	}
}

// objectOf is the field that names what an id field of a row refers to, "" when the field
// is none.
func objectOf(field string) (object string, several bool) {
	if by := namedBy[field]; by != "" {
		return by, false
	}
	if one, ok := strings.CutSuffix(field, "_ids"); ok {
		return one + "s", true
	}
	one, _ := strings.CutSuffix(field, "_id")
	if one == field {
		return "", false
	}
	return one, false
}

func exceptionOf(operation, field string) string {
	for _, key := range []string{"." + field, operation + "." + field} {
		if namedOtherwise[key] != "" {
			return key
		}
	}
	return ""
}

// names says whether a schema is an object with an id and a name, or a list of those.
func names(r huma.Registry, s *huma.Schema, several bool) bool {
	if s != nil && several {
		s = s.Items
	}
	if s = deref(r, s); s != nil && len(s.AnyOf) > 0 { // or null
		s = deref(r, s.AnyOf[slices.IndexFunc(s.AnyOf, func(o *huma.Schema) bool { return o.Type != "null" })])
	}
	return s != nil && s.Properties["id"] != nil && s.Properties["name"] != nil
}
