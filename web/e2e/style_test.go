package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestEveryStyleIsDrawn: the bundle draws each style that the server lists, in
// each language, with the server's own tiles, fonts and icons and no failure.
func TestEveryStyleIsDrawn(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Sample(t)
	p := browsertest.Open(t, browsertest.Options{Small: true, Allow: func(s string) bool { return s == "404 /favicon.ico" }})
	p.Goto(elsewhere(t, base, "", ""))
	p.Wait("window.loaded")
	for i, id := range styles(t, base) {
		lang := []string{"uz", "ru", "en", "uz-Cyrl"}[i%4]
		browsertest.Eval[bool](p, fmt.Sprintf("(map.setStyle(%q), map.lang !== %q && map.setLang(%[2]q), true)", id, lang))
		p.Wait("map.gl.isStyleLoaded()")
		p.WaitDrawn(30) // toner has few colours
		p.Shot("style-" + id)
		p.Clean()
	}
	if got := browsertest.Eval[[]string](p, "failures"); len(got) > 0 {
		t.Errorf("the bundle reports %q", got)
	}
}

// styles are the names of the server's list.
func styles(t *testing.T, base string) []string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/styles/styles.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var list []struct{ ID string }
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range list {
		ids = append(ids, s.ID)
	}
	if len(ids) < 10 {
		t.Fatalf("%d styles: %q", len(ids), ids)
	}
	return ids
}
