package content_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/content"
	"svc/app/recipient/optout"
	"svc/store"
)

// ali is the id of a new recipient.
func (h *harness) ali() string {
	h.T.Helper()
	return h.Do("POST /recipients", body{
		"messenger_id": 42, "username": "ali_v", "first_name": "Али", "language": "uz",
		"attributes": body{"city": "Tosh_kent", "empty": " ", "first_name": "of attributes", "n": 7},
	}).Want(201).String("id")
}

func TestPreview(t *testing.T) {
	h := setup(t)
	ali := h.ali()
	a := h.Do("POST /messages/preview", body{
		"message":      body{"text": "*{{first_name}}* 😀 {{city}} {{last_name}} {{size}} {{nope}} [x]({{opt_out_url}})", "format": "MARKDOWN"},
		"recipient_id": ali,
	}).Want(200)
	var got map[string]any
	a.Into(&got)
	want := map[string]any{
		"text": "Али 😀 Tosh_kent {{last_name}} {{size}} {{nope}} x", "format": "MARKDOWN", "length": 50.0, "length_unit": "utf16", "max_length": 4096.0,
		"parts": 1.0, "missing_variables": []any{"last_name", "size"}, "unknown_variables": []any{"nope"}, "attachments": []any{},
		"entities": []any{
			map[string]any{"type": "bold", "offset": 0.0, "length": 3.0},
			map[string]any{"type": "text_url", "offset": 49.0, "length": 1.0, "url": h.optOut(ali)},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// optOut is the address at which a recipient opts out.
func (h *harness) optOut(id string) string {
	h.T.Helper()
	token, err := optout.Token(h.db, h.Org, id)
	if err != nil {
		h.T.Fatal(err)
	}
	return "https://svc.test/o/" + token
}

func TestPreviewValues(t *testing.T) {
	h := setup(t)
	ali := h.ali()
	all := "{{messenger_id}} {{username}} {{first_name}} {{language}} {{attributes.first_name}} {{attributes.city}}"
	for _, tt := range []struct {
		text       string
		recipient  any
		attributes body
		want       string
	}{
		{all, ali, nil, "42 ali_v Али uz of attributes Tosh_kent"},
		{"{{first_name}} {{city}} {{n}} {{ok}}", ali, body{"first_name": "Vali", "city": "Xiva", "n": 1.5, "ok": true}, "Vali Xiva 1.5 true"},
		{"{{first_name}} {{n}}", nil, body{"first_name": "Vali", "n": 998901234567}, "Vali 998901234567"},
		{"{{first_name}} {{opt_out_url}}", nil, nil, "{{first_name}} " + h.optOut("rcp_"+strings.Repeat("0", 26))},
		{"{{n}}", ali, nil, "7"},
		{"{{empty}}", ali, nil, "{{empty}}"},
		{"{{city}}", ali, body{"city": " "}, "{{city}}"},
	} {
		a := h.Do("POST /messages/preview", body{"message": body{"text": tt.text}, "recipient_id": tt.recipient, "attributes": tt.attributes}).Want(200)
		if got := a.String("text"); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
		if missing := strings.Contains(tt.want, "{{"); missing != (a.At("missing_variables.0") != nil) {
			t.Errorf("%q: missing %v", tt.text, a.At("missing_variables"))
		}
	}
}

func TestPreviewOfATemplate(t *testing.T) {
	h := setup(t)
	photos := h.uploaded("a.png", drawing(t, 3, 3))
	notes := h.uploaded("a.txt", []byte("x"))
	tpl := h.Do("POST /templates", body{"name": "n", "text": "<i>{{first_name}}</i>", "format": "HTML", "attachment_ids": []string{photos}}).Want(201).String("id")
	a := h.Do("POST /messages/preview", body{"message": body{"template_id": tpl}, "recipient_id": h.ali()}).Want(200)
	if a.String("text") != "Али" || a.String("format") != "HTML" || a.Int("max_length") != 1024 || a.String("attachments.0.id") != photos || a.String("entities.0.type") != "italic" {
		t.Errorf("template: %s", a.Body)
	}
	if n := a.Int("attachments.0.used_by_count"); n != 1 {
		t.Errorf("used by %d", n)
	}
	a = h.Do("POST /messages/preview", body{"message": body{"template_id": tpl, "text": "own", "attachment_ids": []string{notes}}}).Want(200)
	if a.String("text") != "own" || a.String("format") != "PLAIN" || a.String("attachments.0.id") != notes {
		t.Errorf("a text of its own: %s", a.Body)
	}
}

func TestPreviewRefusals(t *testing.T) {
	h := setup(t)
	for _, tt := range []struct {
		in    any
		err   *api.Error
		field string
	}{
		{nil, api.ErrInvalidJSON, ""},
		{body{}, api.ErrInvalid, "message.text"},
		{body{"message": body{}}, api.ErrInvalid, "message.text"},
		{body{"message": body{"text": "  "}}, api.ErrInvalid, "message.text"},
		{body{"message": body{"text": "*x", "format": "MARKDOWN"}}, api.ErrInvalid, "message.text"},
		{body{"message": body{"text": strings.Repeat("x", 4097)}}, api.ErrInvalid, "message.text"},
		{body{"message": body{"text": "x", "format": "BBCODE"}}, api.ErrInvalid, "message.format"},
		{body{"message": body{"template_id": "tpl_none"}}, api.ErrInvalid, "message.template_id"},
		{body{"message": body{"text": "x", "attachment_ids": []string{"att_none"}}}, api.ErrInvalid, "message.attachment_ids"},
		{body{"message": body{"text": "x"}, "recipient_id": "rcp_none"}, api.ErrNotFound, ""},
		{body{"message": body{"text": "x"}, "attributes": body{"a": []int{1}}}, api.ErrInvalid, "attributes"},
		{body{"message": body{"text": "x"}, "attributes": body{"a": strings.Repeat("x", 100_000)}}, api.ErrInvalid, "attributes"},
	} {
		a := h.Do("POST /messages/preview", tt.in).Refused(tt.err)
		if details, _ := a.At("error.details").(map[string]any); tt.field != "" && details[tt.field] == nil {
			t.Errorf("%v: details %v, want %s", tt.in, details, tt.field)
		}
	}
}

// TestCheck is what campaigns ask before they save or start.
func TestCheck(t *testing.T) {
	h := setup(t)
	err := h.db.View(t.Context(), func(tx *store.Tx) error {
		text, m, err := content.Check(tx, h.Org, "message", content.Message{Text: "{{a}} {{first_name}}"})
		if err != nil {
			return err
		}
		if d := cmp.Diff([]string{"a", "first_name"}, text.Variables()); d != "" || m.Format != "PLAIN" {
			t.Errorf("format %s, variables %s", m.Format, d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if content.MaxLength(0) != 4096 || content.MaxLength(1) != 1024 || !content.Field("opt_out_url") || content.Field("city") {
		t.Error("lengths or fields are not those of the decisions")
	}
}

// TestPreviewNeedsToSeeTheRecipient: a key that may not read recipients learns
// nothing of them here.
func TestPreviewNeedsToSeeTheRecipient(t *testing.T) {
	h := setup(t)
	ali := h.ali()
	h.As = func(c *api.Call) {
		c.Caller.Kind, c.Caller.APIAccess, c.Caller.Perms = api.Key, true, perm.Of(perm.CampaignsManage)
	}
	h.Do("POST /messages/preview", body{"message": body{"text": "{{first_name}}"}, "recipient_id": ali}).Refused(api.ErrForbidden)
	h.Do("POST /messages/preview", body{"message": body{"text": "{{first_name}}"}}).Want(200)
}
