package schema

import (
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

func TestIDOf(t *testing.T) {
	for thing, want := range map[string]string{
		"account": "acc_", "accounts": "acc_", "conversation": "cnv_", "winner_variant": "xpv_", "eval-datasets": "eds_", "proxies": "prx_", "businesses": "bus_",
		"identities": "idn_", "api-keys": "key_", "assigned_user": "usr_", "previous_campaign": "cmp_", "agent_execution": "aex_", "series": "ser_",
		"funnel": "fnl_", "support-sessions": "ssn_", "case": "cas_", "external": foreignID, "platform_user": foreignID, "data": foreignID,
	} {
		if len(want) == 4 && want != foreignID {
			want += exampleID
		}
		if got := idOf(thing); got != want {
			t.Errorf("%s: %s, want %s", thing, got, want)
		}
	}
	for path, want := range map[string]string{
		"/campaigns/{id}/start": "campaigns", "/ai/conversations/{id}/messages": "messages", "/ai/eval-datasets/{id}/items": "items", "/admin/organizations/{id}/suspend": "organizations",
	} {
		if got := ThingOf(path); got != want {
			t.Errorf("%s is about %q, want %q", path, got, want)
		}
	}
}

// TestIDsOfLists: the rows of a list are what its field names, "data" what the operation is about.
func TestIDsOfLists(t *testing.T) {
	row := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"id": {Type: huma.TypeString}}}
	for field, want := range map[string]string{"businesses": "bus_", "proxies": "prx_", "offers": "ofr_", "data": "cmp_"} {
		s := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{field: {Type: huma.TypeArray, Items: row}}}
		got := example(nil, s, "", "campaigns", 0).(map[string]any)[field].([]any)[0].(map[string]any)["id"]
		if got != want+exampleID {
			t.Errorf("%s: %v, want %s", field, got, want)
		}
	}
}
