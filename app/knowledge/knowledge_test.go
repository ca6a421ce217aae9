package knowledge_test

import (
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/knowledge"
	"svc/app/knowledge/source"
	"svc/store"
	"svc/store/storetest"
)

func TestLife(t *testing.T) {
	apitest.Table(t, golden("source.golden"), *update, source.Life,
		[]source.Status{source.Pending, source.Ingesting, source.Ready, source.Failed, source.Disabled},
		[]source.Event{source.Asked, source.Enabled, source.Begun, source.Published, source.Unread, source.Switched})
}

// TestFind is H 51: both scripts of Uzbek are one language, a wrong letter is passed over,
// and nothing of another business is ever found.
func TestFind(t *testing.T) {
	w := newWorld(t, store.Options{}).work()
	shop, other := w.business("Shop"), w.business("Other")
	delivery := w.add(map[string]any{"business_id": shop, "type": "TEXT", "title": "Shartlar", "text": "# Yetkazib berish\nToshkent bo‘ylab yetkazib berish 2 soat ichida bepul.\n\n# Kafolat\nHar bir mahsulotga 12 oy kafolat beriladi."})
	secret := w.add(map[string]any{"business_id": other, "type": "TEXT", "title": "Yetkazib berish", "text": "Yetkazib berish faqat Samarqandda, 50 000 so‘m."})
	faq := w.add(map[string]any{"business_id": shop, "type": "FAQ", "question": "To‘lovni qanday qilsam bo‘ladi?", "answer": "Naqd, karta yoki Payme orqali."})
	for _, id := range []string{delivery, secret, faq} {
		w.ends(id, "READY")
	}
	for _, q := range []string{"Yetkazib berish", "етказиб бериш", "yetkazb berish bormi", "доставка есть?"} {
		hits, relevant := w.find(shop, q)
		if !relevant || len(hits) == 0 || hits[0].SourceID != delivery || !strings.Contains(hits[0].Title, "Yetkazib berish") {
			t.Errorf("%q: relevant %v, %+v", q, relevant, hits)
		}
		for _, h := range hits {
			if h.SourceID == secret {
				t.Errorf("%q found a chunk of another business", q)
			}
		}
	}
	if hits, _ := w.find(shop, "to'lov qanday"); len(hits) == 0 || !hits[0].FAQ || hits[0].Answer != "Naqd, karta yoki Payme orqali." || hits[0].Matched[0] != "KEYWORD" {
		t.Errorf("the answer was not found: %+v", hits)
	}
	if _, relevant := w.find(shop, "quyosh tizimidagi sayyoralar soni"); relevant {
		t.Error("what has nothing to do with it is relevant")
	}
	approved, err := w.s.Answers(t.Context(), w.Org, shop, 10)
	if err != nil || len(approved) != 1 || approved[0].Question != "To‘lovni qanday qilsam bo‘ladi?" || !approved[0].FAQ {
		t.Errorf("approved answers: %+v, %v", approved, err)
	}
	if hits, _, err := w.s.Find(t.Context(), knowledge.Query{Org: newOrg(t, w.db), Business: shop, Text: "yetkazib berish"}, nil); err != nil || len(hits) > 0 {
		t.Errorf("another organization found %+v, %v", hits, err)
	}
}

// TestVersions: a change makes a version, what is equal makes none, and a disabled source is
// not found.
func TestVersions(t *testing.T) {
	w := newWorld(t, store.Options{}).work()
	b := w.business("Shop")
	id := w.add(map[string]any{"business_id": b, "type": "TEXT", "title": "Narxlar", "text": "Atirgul narxi 10 000 so‘m."})
	if a := w.ends(id, "READY"); a.Int("published_version") != 1 || a.Int("chunks_count") != 1 || a.Int("tokens_count") == 0 || a.String("chunks.0.text") == "" {
		t.Fatalf("the first version: %s", a.Body)
	}
	w.Do("POST /ai/knowledge/sources/"+id+"/reindex", nil).Want(200)
	if a := w.ends(id, "READY"); a.Int("published_version") != 1 || a.Int("latest_version") != 1 {
		t.Errorf("equal content made a version: %s", a.Body)
	}
	w.Do("PATCH /ai/knowledge/sources/"+id, `{"text":"Atirgul narxi 12 000 so‘m."}`).Want(200)
	if a := w.ends(id, "READY"); a.Int("published_version") != 2 {
		t.Errorf("the change made no version: %s", a.Body)
	}
	if hits, _ := w.find(b, "atirgul narxi"); len(hits) != 1 || hits[0].Version != 2 || !strings.Contains(hits[0].Text, "12 000") {
		t.Errorf("found %+v", hits)
	}
	w.Do("PATCH /ai/knowledge/sources/"+id, `{"status":"DISABLED"}`).Want(200)
	w.Do("POST /ai/knowledge/sources/"+id+"/reindex", nil).Refused(api.ErrState)
	if hits, _ := w.find(b, "atirgul narxi"); len(hits) != 0 {
		t.Errorf("a disabled source was found: %+v", hits)
	}
	w.Do("PATCH /ai/knowledge/sources/"+id, `{"status":"READY"}`).Want(200)
	w.ends(id, "READY")
	if hits, _ := w.find(b, "atirgul narxi"); len(hits) != 1 {
		t.Errorf("found %+v", hits)
	}
	w.Do("DELETE /ai/knowledge/sources/"+id, nil).Want(204)
	if hits, _ := w.find(b, "atirgul narxi"); len(hits) != 0 {
		t.Errorf("a deleted source was found: %+v", hits)
	}
}

// TestOffers: offers are found as they are when somebody searches, without anything to wait
// for.
func TestOffers(t *testing.T) {
	w := newWorld(t, store.Options{})
	b := w.business("Shop")
	offer := w.Do("POST /ai/businesses/"+b+"/offers", `{"name":"101 ta atirgul","price":189000,"currency":"UZS","delivery":"Toshkentda 2 soat"}`).Want(201).String("id")
	src := w.add(map[string]any{"business_id": b, "type": "OFFERS"})
	w.Do("POST /ai/knowledge/sources", map[string]any{"business_id": b, "type": "OFFERS"}).Refused(api.ErrConflict)
	w.work()
	if a := w.ends(src, "READY"); a.Int("chunks_count") != 1 || a.Int("tokens_count") == 0 {
		t.Errorf("offers: %s", a.Body)
	}
	w.stop() // nobody works on jobs any more
	if hits, _ := w.find(b, "atirgul qancha"); len(hits) != 1 || !strings.Contains(hits[0].Text, "189 000 UZS") {
		t.Fatalf("found %+v", hits)
	}
	w.Do("PATCH /ai/offers/"+offer, `{"price":150000}`).Want(200)
	if hits, _ := w.find(b, "atirgul qancha"); len(hits) != 1 || !strings.Contains(hits[0].Text, "150 000 UZS") || hits[0].Version != 2 {
		t.Errorf("after the price changed: %+v", hits)
	}
	w.Do("DELETE /ai/offers/"+offer, nil).Want(204)
	if hits, _ := w.find(b, "atirgul qancha"); len(hits) != 0 {
		t.Errorf("an offer that is gone was found: %+v", hits)
	}
}

// TestBusinessDeleted: its sources go with it, and their chunks.
func TestBusinessDeleted(t *testing.T) {
	w := newWorld(t, store.Options{}).work()
	b := w.business("Shop")
	id := w.add(map[string]any{"business_id": b, "type": "TEXT", "title": "Narxlar", "text": "Atirgul narxi 10 000 so‘m."})
	w.ends(id, "READY")
	w.Do("DELETE /ai/businesses/"+b, nil).Want(204)
	storetest.Eventually(t, "the sources are gone", func() bool {
		return w.Do("GET /ai/knowledge/sources", nil).Want(200).Int("total") == 0
	})
}
