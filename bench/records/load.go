package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// target is a server under load.
type target struct {
	base    string   // such as http://127.0.0.1:8080/api/v1
	creates string   // path that takes a recipient
	list    string   // path of a page of 50
	header  string   // that carries the credential
	tokens  []string // credentials, used in turn: svc holds a rate for each
	body    func(n int) map[string]any

	made  atomic.Int64 // recipients so far
	asked atomic.Int64
}

// work is one kind of request at a number of connections.
type work struct {
	name        string
	target      string // of the ratio
	connections int
	requests    int
	method      string // POST creates, GET lists
}

var works = []work{
	{"create", "1.5", 1, 500, http.MethodPost},
	{"create, 8 at once", "", 8, 2000, http.MethodPost},
	{"create, 64 at once", "3", 64, 4000, http.MethodPost},
	{"page of 50", "", 1, 500, http.MethodGet},
	{"page of 50, 8 at once", "", 8, 1000, http.MethodGet},
}

// figure is what a work came to.
type figure struct {
	perSecond float64
	p50, p99  time.Duration
}

func (f figure) String() string {
	return fmt.Sprintf("%.0f/s p50 %.1f p99 %.1f", f.perSecond, milliseconds(f.p50), milliseconds(f.p99))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// measure asks w.requests times over w.connections, after a tenth of it unmeasured.
func (w work) measure(ctx context.Context, t *target) (figure, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: w.connections}}
	defer client.CloseIdleConnections()
	if _, err := w.ask(ctx, client, t, w.requests/10); err != nil {
		return figure{}, err
	}
	begin := time.Now()
	took, err := w.ask(ctx, client, t, w.requests)
	if err != nil {
		return figure{}, err
	}
	passed := time.Since(begin)
	slices.Sort(took)
	return figure{float64(len(took)) / passed.Seconds(), took[len(took)/2], took[len(took)*99/100]}, nil
}

func (w work) ask(ctx context.Context, client *http.Client, t *target, requests int) ([]time.Duration, error) {
	each := max(1, requests/w.connections)
	took := make([]time.Duration, each*w.connections)
	errs := make([]error, w.connections)
	var all sync.WaitGroup
	for c := range w.connections {
		all.Go(func() {
			for i := range each {
				begin := time.Now()
				if errs[c] = t.request(ctx, client, w.method); errs[c] != nil {
					return
				}
				took[c*each+i] = time.Since(begin)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return took, nil
}

// request makes a recipient or reads a page.
func (t *target) request(ctx context.Context, client *http.Client, method string) error {
	path, body := t.list, io.Reader(http.NoBody)
	if method == http.MethodPost {
		data, err := json.Marshal(t.body(int(t.made.Add(1))))
		if err != nil {
			return err
		}
		path, body = t.creates, bytes.NewReader(data)
	}
	token := t.tokens[int(t.asked.Add(1))%len(t.tokens)]
	_, err := do(ctx, client, method, t.base+path, body, "application/json", t.header, token)
	return err
}

// do asks, and gives the answer of a request that succeeded.
func do(ctx context.Context, client *http.Client, method, url string, body io.Reader, contentType, header, value string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	if body != http.NoBody {
		req.Header.Set("Content-Type", contentType)
	}
	if header != "" {
		req.Header.Set(header, value)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %d %s", method, url, resp.StatusCode, answer)
	}
	return answer, err
}
