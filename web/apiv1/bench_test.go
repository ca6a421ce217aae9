package apiv1_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/recipient"
	"svc/app/session"
	"svc/store"
	"svc/web/apiv1"
)

// overheadTarget is what an operation may cost beside the same work by hand (issue
// 4, 6).
const overheadTarget = 1.3

// bench is an operation that reads one recipient, behind the door and by hand.
type bench struct {
	app    *app.App
	cookie *http.Cookie
	id     string
	door   http.Handler
	bare   http.Handler
}

type getIn struct {
	ID string `path:"id"`
}

// BenchmarkOverhead asks for one recipient, signed in, over a kept connection to a
// server and straight through the handler: first by hand (net/http, the check of the
// session, the permission, the record as JSON), then through the door with all it
// promises. The two take turns, because other programs share this machine.
func BenchmarkOverhead(b *testing.B) {
	x := newBench(b)
	for _, way := range []string{"server", "handler"} {
		b.Run(way, func(b *testing.B) {
			door, bare := x.asker(b, way, x.door), x.asker(b, way, x.bare)
			const rounds, asks = 40, 100
			var took [2][]time.Duration
			for b.Loop() {
				for range rounds {
					for i, ask := range []func(){door, bare} {
						begin := time.Now()
						for range asks {
							ask()
						}
						took[i] = append(took[i], time.Since(begin)/asks)
					}
				}
			}
			for i := range took {
				slices.Sort(took[i])
			}
			with, without := took[0][len(took[0])/2], took[1][len(took[1])/2]
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(with)/1e3, "µs/operation")
			b.ReportMetric(float64(without)/1e3, "µs/bare")
			b.ReportMetric(float64(with)/float64(without), "x")
			b.ReportMetric(overheadTarget, "x/target")
		})
	}
}

func newBench(b *testing.B) *bench {
	b.Helper()
	silent := slog.New(slog.DiscardHandler)
	a, err := app.Open(b.Context(), app.Options{Data: b.TempDir(), Log: silent})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := a.Close(); err != nil {
			b.Error(err)
		}
	})
	x := &bench{app: a}
	// A second a request, so that the rate of one person is never spent.
	now := time.Now()
	clock := func() time.Time {
		now = now.Add(time.Second)
		return now
	}
	endpoints := append(a.Endpoints(), api.E("GET /bench/{id}", "bench.get", perm.RecipientsRead, "Read one.", x.get))
	x.door = apiv1.New(apiv1.Config{
		DB: a.DB, Endpoints: endpoints, Identify: a.Sessions.Identify, Maintenance: a.Maintenance, Accessed: a.Support.Accessed,
		Log: silent, Clock: clock,
	})
	x.signUp(b)
	x.bare = x.byHand()
	return x
}

// signUp makes a person with an organization and a recipient.
func (x *bench) signUp(b *testing.B) {
	b.Helper()
	ask := func(path, body string) *http.Response {
		r := httptest.NewRequest(http.MethodPost, apiv1.Prefix+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if x.cookie != nil {
			r.AddCookie(x.cookie)
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}
		w := httptest.NewRecorder()
		x.door.ServeHTTP(w, r)
		if w.Code >= 300 {
			b.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return w.Result()
	}
	answer := ask("/auth/signup", `{"email":"a@example.com","password":"correct horse battery","name":"A","organization_name":"Bloom","accept_policy":true}`)
	for _, c := range answer.Cookies() {
		x.cookie = c
	}
	answer = ask("/recipients", `{"messenger_id":100200300,"username":"olga_k","first_name":"Olga","attributes":{"city":"Tashkent"},"tags":["vip","uz"]}`)
	var made struct{ ID string }
	if err := json.NewDecoder(answer.Body).Decode(&made); err != nil || made.ID == "" {
		b.Fatal(err, made)
	}
	x.id = made.ID
}

// get is the work of the operation.
func (x *bench) get(c *api.Call, in getIn) (out recipient.Recipient, err error) {
	err = x.app.DB.View(c, func(tx *store.Tx) (err error) {
		out, err = recipient.Get(tx, c.Org, in.ID)
		return err
	})
	return out, err
}

// byHand is the same work as somebody would write it without the door.
func (x *bench) byHand() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+apiv1.Prefix+"/bench/{id}", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), api.DefaultTimeout)
		defer cancel()
		c := api.NewCall(ctx, nil)
		cookie, err := r.Cookie(session.Cookie)
		if err == nil {
			err = x.app.Sessions.Identify(c, session.Credential{Cookie: cookie.Value})
		}
		if err != nil || !c.Can(perm.RecipientsRead) {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		rec, err := x.get(c, getIn{r.PathValue("id")})
		if err != nil {
			http.Error(w, "no", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_ = json.NewEncoder(w).Encode(rec)
	})
	return mux
}

// asker answers what asks once and checks the answer.
func (x *bench) asker(b *testing.B, way string, h http.Handler) func() {
	b.Helper()
	path := apiv1.Prefix + "/bench/" + x.id
	if way == "handler" {
		return func() {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.AddCookie(x.cookie)
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, r); w.Code != http.StatusOK {
				b.Fatalf("%d %s", w.Code, w.Body)
			}
		}
	}
	srv := httptest.NewServer(h)
	b.Cleanup(srv.Close)
	return func() {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, srv.URL+path, nil)
		if err != nil {
			b.Fatal(err)
		}
		r.AddCookie(x.cookie)
		answer, err := srv.Client().Do(r)
		if err != nil {
			b.Fatal(err)
		}
		defer answer.Body.Close()
		if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			b.Fatal(answer.StatusCode, err)
		}
	}
}
