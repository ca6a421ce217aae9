package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"svc/web/e2e/browsertest"
)

// The figures of the console (issue 6) beside their targets, each through the real
// binary and a real Chromium on the same machine. Run with
//
//	go test ./web/e2e -run '^$' -bench Console -benchtime 1x -timeout 2h
//
// Nothing fails for being slow: the machine that runs this may do other things.

// agency is an organization on a server of its own, and its owner, who administers
// the platform.
type agency struct {
	tb           testing.TB
	base, cookie string
}

// newAgency starts a server and signs its first person up.
func newAgency(tb testing.TB, args ...string) *agency {
	tb.Helper()
	browsertest.Console(tb)
	base, link := browsertest.ServeSaying(tb, args...)
	_, token, _ := strings.Cut(link, "setup_token=")
	a := &agency{tb: tb, base: base}
	a.do("POST", "/auth/signup", map[string]any{
		"email": "olga@example.uz", "password": "correct horse 1", "name": "Olga", "organization_name": "Bazar", "timezone": "Asia/Tashkent", "setup_token": token,
	})
	a.do("PATCH", "/organization", map[string]any{"default_sending_window": nil}) // it may be night here
	var setup struct{ Secret string }
	a.into(a.do("POST", "/me/mfa/setup", map[string]any{}), &setup)
	code, err := totp.GenerateCode(setup.Secret, time.Now())
	if err != nil {
		tb.Fatal(err)
	}
	a.do("POST", "/me/mfa/enable", map[string]any{"code": code})
	return a
}

// do asks the API as the owner. Whoever is asked to wait waits.
func (a *agency) do(method, path string, body any) []byte {
	a.tb.Helper()
	content, err := json.Marshal(body)
	if err != nil {
		a.tb.Fatal(err)
	}
	return a.send(method, path, "application/json", content)
}

func (a *agency) send(method, path, kind string, content []byte) []byte {
	a.tb.Helper()
	for {
		req, err := http.NewRequestWithContext(a.tb.Context(), method, a.base+"/api/v1"+path, bytes.NewReader(content))
		if err != nil {
			a.tb.Fatal(err)
		}
		req.Header.Set("Content-Type", kind)
		req.Header.Set("Origin", a.base)
		if a.cookie != "" {
			req.Header.Set("Cookie", sessionCookie+"="+a.cookie)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			a.tb.Fatal(err)
		}
		answer, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		switch {
		case err != nil:
			a.tb.Fatal(err)
		case resp.StatusCode == http.StatusTooManyRequests:
			seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
			<-time.After(time.Duration(max(1, seconds)) * time.Second)
			continue
		case resp.StatusCode >= 300:
			a.tb.Fatalf("%s %s: %d %.300s", method, path, resp.StatusCode, answer)
		}
		for _, c := range resp.Cookies() {
			if c.Name == sessionCookie && c.Value != "" {
				a.cookie = c.Value
			}
		}
		return answer
	}
}

const sessionCookie = "svc_session"

func (a *agency) into(answer []byte, v any) {
	a.tb.Helper()
	if err := json.Unmarshal(answer, v); err != nil {
		a.tb.Fatalf("%v: %.300s", err, answer)
	}
}

// made is the id of what was made.
func (a *agency) made(path string, body any) string {
	a.tb.Helper()
	var made struct{ ID string }
	a.into(a.do("POST", path, body), &made)
	return made.ID
}

// open gives the owner, or whoever has no cookie, a browser that was never here.
func (a *agency) open(o browsertest.Options) *browsertest.Page {
	a.tb.Helper()
	o.Allow = func(string) bool { return true }
	p := browsertest.Open(a.tb, o)
	if a.cookie != "" {
		p.Keep(a.base, sessionCookie, a.cookie)
	}
	return p
}

// unlimited lifts what a plan limits.
func (a *agency) unlimited() {
	a.tb.Helper()
	var me struct{ ID string }
	a.into(a.do("GET", "/organization", nil), &me)
	a.do("PUT", "/admin/organizations/"+me.ID+"/limits", map[string]any{"overrides": map[string]any{
		"accounts": nil, "recipients": nil, "active_campaigns": nil,
	}})
}

// people imports n people from a number on, of whom the simulator knows a million.
func (a *agency) people(from, n int) {
	a.tb.Helper()
	const atATime = 100_000
	first := []string{"Дилшод", "Olga", "Aziza", "Иван", "Malika", "Sardor", "Нодира", "Otabek"}
	for ; n > 0; from, n = from+atATime, n-atATime {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		f, err := w.CreateFormFile("file", "people.csv")
		if err != nil {
			a.tb.Fatal(err)
		}
		_, _ = io.WriteString(f, "username,name,surname,lang,consent,tags,city\n") // into memory
		for i := from; i < from+min(n, atATime); i++ {
			h := uint32(i)*2654435761 | 1
			_, _ = fmt.Fprintf(f, "demo_user_%d,%s,Surname%d,%s,%s,tag%d,%s\n", i, first[h>>3%8], h%5000, []string{"uz", "ru", "en"}[i%3],
				[]string{"OPTED_IN", "OPTED_IN", "EXISTING_RELATIONSHIP", "OPTED_IN"}[h>>5%4], h%40, []string{"Tashkent", "Samarkand", "Nukus"}[h%3])
		}
		_ = w.WriteField("tags", "everybody")
		if err := w.Close(); err != nil {
			a.tb.Fatal(err)
		}
		a.send("POST", "/recipients/import", w.FormDataContentType(), body.Bytes())
	}
}

// spread are the figures of many measurements.
type spread []float64

// at is the share q of the way from the least to the most.
func (s spread) at(q float64) float64 {
	if len(s) == 0 {
		return -1
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func (s spread) report(b *testing.B, unit string) {
	b.Helper()
	b.ReportMetric(s.at(0.5), "p50-"+unit)
	b.ReportMetric(s.at(0.95), "p95-"+unit)
}
