package routetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Exchange is a recorded question to the real engine and its answer.
type Exchange struct {
	Path    string          `json:"path"`
	Request json.RawMessage `json:"request"`
	Status  int             `json:"status"`
	Answer  json.RawMessage `json:"answer"`
}

// maxRecorded bounds a file of an exchange: recordings are read by people.
const maxRecorded = 60_000

// fileName tells exchanges apart: the path and a hash of the request.
func fileName(path string, request []byte) string {
	sum := sha256.Sum256(request)
	return strings.Trim(path, "/") + "-" + hex.EncodeToString(sum[:4]) + ".json"
}

// recordings is their folder, from the module's root.
const recordings = "geo/route/testdata"

// Recordings is the folder of the product's recorded answers.
func Recordings(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(root(tb), filepath.FromSlash(recordings))
}

// Recorded is the answer to a request in a folder of recordings.
func Recorded(dir, path string, request []byte) (e Exchange, err error) {
	text, err := os.ReadFile(filepath.Join(dir, fileName(path, request)))
	if err != nil {
		return e, err
	}
	return e, json.Unmarshal(text, &e)
}

// Replay is an engine that gives the recorded answers of a folder. A question
// that was never recorded fails the test.
func Replay(tb testing.TB, dir string) *httptest.Server {
	tb.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/status" {
			_, _ = io.WriteString(w, `{"version":"3.9.1","tileset_last_modified":1795271555}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		e, err := Recorded(dir, r.URL.Path, body)
		if err != nil {
			tb.Errorf("the engine was never asked this (record with -update): %s %s: %v", r.URL.Path, body, err)
			w.WriteHeader(http.StatusNotImplemented)
			return
		}
		w.Header().Set("Content-Type", "application/json;charset=utf-8")
		w.WriteHeader(e.Status)
		_, _ = w.Write(e.Answer)
	}))
	tb.Cleanup(s.Close)
	return s
}

// Record stands between a client and the real engine and writes what they say
// into the folder, which it empties first.
func Record(tb testing.TB, dir, engine string) *httptest.Server {
	tb.Helper()
	old, err := filepath.Glob(filepath.Join(dir, "*-????????.json"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			tb.Fatal(err)
		}
	}
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		e, err := record(dir, engine, r)
		if err != nil {
			tb.Errorf("record %s: %v", r.URL.Path, err)
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.WriteHeader(e.Status)
		_, _ = w.Write(e.Answer)
	}))
	tb.Cleanup(s.Close)
	return s
}

func record(dir, engine string, r *http.Request) (e Exchange, err error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return e, err
	}
	resp, err := http.Post(engine+r.URL.Path, "application/json", bytes.NewReader(body)) //nolint:noctx // a test's own engine
	if err != nil {
		return e, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return e, err
	}
	e = Exchange{Path: r.URL.Path, Request: body, Status: resp.StatusCode, Answer: answer}
	if r.Method != http.MethodPost {
		return e, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return e, err
	}
	if b.Len() > maxRecorded {
		return e, fmt.Errorf("the exchange has %d bytes; ask for less, %d is the most", b.Len(), maxRecorded)
	}
	return e, os.WriteFile(filepath.Join(dir, fileName(r.URL.Path, body)), b.Bytes(), 0o600)
}
