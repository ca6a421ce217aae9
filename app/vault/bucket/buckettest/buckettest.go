// Package buckettest is a store of objects in this process, which speaks the protocol of S3.
package buckettest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"svc/app/vault/bucket"
)

// Server is such a store with one bucket.
type Server struct {
	Options bucket.Options
	down    atomic.Bool
	asked   atomic.Int64
}

// Start starts a server, which ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	memory := s3mem.New()
	if err := memory.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	s := &Server{}
	inner := gofakes3.New(memory).Server()
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		if s.down.Load() {
			http.Error(w, "down", http.StatusBadRequest)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(at.Close)
	s.Options = bucket.Options{
		Host: strings.TrimPrefix(at.URL, "http://"), Plain: true, Region: "uz-1", Bucket: "files", Prefix: "svc", AccessKey: "key", Secret: "secret",
	}
	return s
}

// Down makes the server refuse everything, or not any more.
func (s *Server) Down(down bool) { s.down.Store(down) }

// Asked is how many requests came.
func (s *Server) Asked() int { return int(s.asked.Load()) }

// Open is the bucket of the server.
func (s *Server) Open(t testing.TB) *bucket.Bucket {
	t.Helper()
	b, err := bucket.Open(s.Options)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
