package audience_test

import (
	"fmt"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/recipient/recipienttest"
	"svc/app/setting"
	"svc/store"
	"svc/store/storetest"
)

func TestReachability(t *testing.T) {
	h := recipienttest.In(t, storetest.Open(t, recipienttest.Tables()...), func(_ *store.Tx, _ *api.Call, id string, r recipient.Recipient) (string, []audience.Reason, error) {
		if id != "cmp_1" {
			return "", nil, store.ErrNotFound
		}
		return "acc_9", []audience.Reason{{Code: "MISSING_VARIABLES", Message: "city is not known of " + r.Username + "."}}, nil
	})
	for _, tt := range []struct {
		body  map[string]any
		codes string
	}{
		{map[string]any{"username": "fine", "consent_status": "OPTED_IN"}, ""},
		{map[string]any{"messenger_id": 1, "consent_status": "OPTED_IN"}, "PEER_UNRESOLVABLE"},
		{map[string]any{"username": "nobasis"}, "UNKNOWN_CONSENT"},
		{map[string]any{"username": "gone", "consent_status": "OPTED_OUT"}, "OPTED_OUT SUPPRESSED"},
	} {
		id := h.Add(tt.body)
		a := h.Do("GET /recipients/"+id+"/reachability", nil).Want(200)
		var codes []string
		for i := range 5 {
			if code := a.String(fmt.Sprintf("reasons.%d.code", i)); code != "" {
				codes = append(codes, code)
			}
		}
		if got := strings.Join(codes, " "); got != tt.codes || a.At("reachable") != (tt.codes == "") || a.String("checked_at") == "" {
			t.Errorf("%v: %s", tt.body, a.Body)
		}
		if tt.codes == "PEER_UNRESOLVABLE" {
			h.Update(func(tx *store.Tx) error {
				return recipient.RecordContact(tx, h.Org, id, recipient.Contact{Account: "acc_1"})
			})
			if a := h.Do("GET /recipients/"+id+"/reachability", nil).Want(200); a.At("reachable") != true || a.String("account_id") != "acc_1" {
				t.Errorf("known to an account: %s", a.Body)
			}
		}
	}
	id := h.Find("fine")["id"].(string)
	if a := h.Do("GET /recipients/"+id+"/reachability?campaign_id=cmp_1", nil).Want(200); a.At("reachable") != false || a.String("account_id") != "acc_9" || a.String("reasons.0.code") != "MISSING_VARIABLES" {
		t.Errorf("with a campaign: %s", a.Body)
	}
	h.Do("GET /recipients/"+id+"/reachability?campaign_id=cmp_2", nil).Refused(api.ErrNotFound)
	h.Update(func(tx *store.Tx) error {
		_, err := setting.Put(tx, h.Call(), map[string]any{"allow_unknown_consent": true})
		return err
	})
	if a := h.Do("GET /recipients/"+h.Find("nobasis")["id"].(string)+"/reachability", nil).Want(200); a.At("reachable") != true {
		t.Errorf("the platform allows unknown consent: %s", a.Body)
	}
}
