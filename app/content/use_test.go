package content_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/content"
	"svc/app/recipient"
	"svc/app/vault"
	"svc/store"
	"svc/store/storetest"
)

// TestHoldsAgainstAModel: whatever holds what in whatever order, an attachment
// counts its holders and a template its campaigns.
func TestHoldsAgainstAModel(t *testing.T) {
	h := setup(t)
	r := rand.New(rand.NewPCG(1, 2))
	var attachments, templates []string
	for i := range 4 {
		attachments = append(attachments, h.uploaded("a.txt", []byte{byte('a' + i), 'x'}))
		templates = append(templates, h.Do("POST /templates", body{"name": fmt.Sprint("t", i), "text": "x"}).Want(201).String("id"))
	}
	model := map[string]content.Holding{}
	for range 150 {
		holder := fmt.Sprint("cmp_", r.IntN(5))
		var next content.Holding
		if r.IntN(4) > 0 {
			next.Live = r.IntN(2) == 0
			if r.IntN(3) > 0 {
				next.Template = templates[r.IntN(len(templates))]
			}
			for _, id := range attachments {
				if r.IntN(2) == 0 {
					next.Attachments = append(next.Attachments, id)
				}
			}
		}
		h.update(func(tx *store.Tx) error { return content.Hold(tx, h.Org, holder, next) })
		model[holder] = next
	}
	count := func(has func(content.Holding) bool) (n int) {
		for _, held := range model {
			if has(held) {
				n++
			}
		}
		return n
	}
	err := h.db.View(t.Context(), func(tx *store.Tx) error {
		list, err := content.GetAttachments(tx, h.Org, "ids", attachments)
		if err != nil {
			return err
		}
		for _, a := range list {
			if want := count(func(held content.Holding) bool { return slices.Contains(held.Attachments, a.ID) }); a.UsedByCount != want {
				t.Errorf("an attachment is used by %d, want %d", a.UsedByCount, want)
			}
		}
		for _, id := range templates {
			got, err := content.GetTemplate(tx, h.Org, id)
			if want := count(func(held content.Holding) bool { return held.Template == id }); err != nil || got.UsesCount != want {
				t.Errorf("a template is used by %d, want %d (%v)", got.UsesCount, want, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range templates {
		live := count(func(held content.Holding) bool { return held.Template == id && held.Live })
		if a := h.Do("DELETE /templates/"+id, nil); (a.Status == 204) != (live == 0) {
			t.Errorf("deleting a template with %d live uses: %d", live, a.Status)
		}
	}
}

// TestClosuresTwice: no operation does more than change the store.
func TestClosuresTwice(t *testing.T) {
	h := &harness{dir: filepath.Join(t.TempDir(), "files"), db: storetest.Twice(t, tables()...)}
	h.s = content.New(h.db, content.Options{Vault: vault.InFolder(h.dir, h.db), PublicURL: "https://svc.test"})
	h.Server = apitest.New(t, h.db, h.s, recipient.New(h.db, nil, recipient.Options{}))
	h.Org = h.organization("Bazaar")
	file := h.uploaded("a.txt", []byte("hello"))
	tpl := h.Do("POST /templates", body{"name": "n", "text": "{{first_name}}", "attachment_ids": []string{file}}).Want(201).String("id")
	if a := h.Do("PATCH /templates/"+tpl, body{"text": "b"}).Want(200); a.String("text") != "b" {
		t.Errorf("changed to %s", a.Body)
	}
	if a := h.Do("GET /templates", nil).Want(200); a.Int("total") != 1 || a.String("data.0.text") != "b" {
		t.Errorf("listed as %s", a.Body)
	}
	if a := h.Do("POST /messages/preview", body{"message": body{"template_id": tpl}}).Want(200); a.Int("attachments.0.used_by_count") != 1 {
		t.Errorf("preview %s", a.Body)
	}
	h.Do("DELETE /templates/"+tpl, nil).Want(204)
	h.clean()
	if n := len(h.actions()); n != 4 {
		t.Errorf("%d entries in the log, want 4: %v", n, h.actions())
	}
	if err := h.db.View(t.Context(), func(tx *store.Tx) error {
		_, err := content.GetAttachments(tx, h.Org, "ids", []string{file, "att_none"})
		return err
	}); api.From(err).Details["ids"] == "" {
		t.Errorf("an attachment that is not there: %v", err)
	}
}
