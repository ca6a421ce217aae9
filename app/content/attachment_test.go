package content_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"svc/app/api"
	"svc/app/content"
	"svc/app/org"
	"svc/app/vault"
	"svc/store"
	"svc/store/kv"
	"svc/store/queue"
	"svc/store/recordid"
)

// onDisk are the files of the vault.
func (h *harness) onDisk() (out []string) {
	h.T.Helper()
	err := filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.T.Fatal(err)
	}
	return out
}

func (h *harness) storage() (n int) {
	h.T.Helper()
	err := h.db.View(h.T.Context(), func(tx *store.Tx) (err error) {
		n, err = content.StorageUsed(tx, h.Org)
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
	return n
}

func (h *harness) clean() {
	h.T.Helper()
	if err := h.s.Clean(h.T.Context()); err != nil {
		h.T.Fatal(err)
	}
}

// large is a document of n bytes.
func large(n int, seed byte) []byte {
	b := bytes.Repeat([]byte{seed, 0, 1, 2}, n/4+1)
	return b[:n]
}

func TestUploadRecord(t *testing.T) {
	h := setup(t)
	content := photo(t, 640, 400)
	a := h.upload(`C:\me\My "holiday".JPG`, content).Want(201)
	var got map[string]any
	a.Into(&got)
	sum := sha256.Sum256(content)
	want := map[string]any{
		"id": got["id"], "kind": "PHOTO", "file_name": "My holiday.JPG", "mime_type": "image/jpeg", "size_bytes": float64(len(content)),
		"sha256": hex.EncodeToString(sum[:]), "width": 640.0, "height": 400.0, "duration_seconds": nil, "used_by_count": 0.0,
		"created_by": "usr_00000000000000000000000001", "created_at": got["created_at"],
	}
	if d := cmp.Diff(want, got); d != "" || !recordid.Valid("att", a.String("id")) {
		t.Errorf("(-want +got)\n%s", d)
	}
	for _, path := range h.onDisk() {
		raw, err := os.ReadFile(path)
		if err != nil || bytes.Contains(raw, content[:64]) || strings.Contains(path, hex.EncodeToString(sum[:])) {
			t.Errorf("%s shows what it holds (%v)", path, err)
		}
	}
}

func TestDownload(t *testing.T) {
	h := setup(t)
	want := large(3*vault.Piece+17, 'x')
	route := "GET /attachments/" + h.uploaded("a.bin", want) + "/content"
	for _, tt := range []struct {
		ask, got string
		from, to int
		status   int
	}{
		{"", "", 0, len(want), 200},
		{"bytes=0-9", "bytes 0-9/196625", 0, 10, 206},
		{"bytes=65530-65545", "bytes 65530-65545/196625", 65530, 65546, 206},
		{"bytes=-5", "bytes 196620-196624/196625", len(want) - 5, len(want), 206},
		{"bytes=196620-", "bytes 196620-196624/196625", len(want) - 5, len(want), 206},
	} {
		a := h.Do(route, nil, "Range", tt.ask).Want(tt.status)
		if a.Body != strings.TrimSpace(string(want[tt.from:tt.to])) || a.Header.Get("Content-Range") != tt.got {
			t.Errorf("%q: %d bytes, %s", tt.ask, len(a.Body), a.Header.Get("Content-Range"))
		}
	}
	h.Do(route, nil, "Range", "bytes=999999-").Want(416)
	h.Do("GET /attachments/att_none/content", nil).Refused(api.ErrNotFound)
	h.Do(route+"?thumb=true", nil).Refused(api.ErrNotFound)
}

// TestBlob: what the server needs for ETag, names and showing in place.
func TestBlob(t *testing.T) {
	h := setup(t)
	pic := photo(t, 900, 300)
	sum := sha256.Sum256(pic)
	for _, e := range h.s.Endpoints() {
		if e.ID == "attachments.content" && e.TimeLimit() <= api.DefaultTimeout {
			t.Error("a slow download would be cut off")
		}
	}
	id := h.uploaded("p.jpg", pic)
	a, r, err := h.s.Open(t.Context(), h.Org, id)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, pic) || a.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("opened %d bytes, %v", len(got), err)
	}
	thumb := h.Do("GET /attachments/"+id+"/content?thumb=1", nil).Want(200)
	small, format, err := image.Decode(strings.NewReader(thumb.Body))
	if err != nil || format != "jpeg" || small.Bounds().Dx() != 320 || small.Bounds().Dy() != 106 || thumb.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("thumbnail: %v %s %v", err, format, small)
	}
	if _, _, err := h.s.Open(t.Context(), h.organization("Other"), id); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another organization: %v", err)
	}
}

func TestUploadRefusals(t *testing.T) {
	h := setup(t)
	pic := photo(t, 50, 50)
	for _, tt := range []struct {
		name    string
		content []byte
		err     *api.Error
		says    string
	}{
		{"a.txt", nil, api.ErrInvalid, "empty"},
		{"photo.jpg", []byte("MZ\x90\x00 a program"), api.ErrInvalid, "Programs"},
		{"notes.txt", []byte("#!/bin/sh\nrm -rf /"), api.ErrInvalid, "Programs"},
		{"notes.bat", []byte("hello"), api.ErrInvalid, "Programs"},
		{"photo.jpg.exe", pic, api.ErrInvalid, "Programs"},
		{"page.txt", []byte("<!-- x --> <HTML>"), api.ErrInvalid, "Programs"},
		{"a.bin", large(content.MaxFile+1, 'x'), api.ErrTooLarge, "20 MB"},
		{"a.jpg", append(pic, make([]byte, content.MaxPhoto)...), api.ErrTooLarge, "10 MB"},
	} {
		a := h.upload(tt.name, tt.content).Refused(tt.err)
		if !strings.Contains(a.Body, tt.says) {
			t.Errorf("%s: %s", tt.name, a.Body)
		}
	}
	h.Do("POST /attachments", body{"file": "x"}).Refused(api.ErrInvalidUpload)
	wrong, contentType := form(t, "upload", "a.txt", []byte("hello"))
	if a := h.Do("POST /attachments", wrong, "Content-Type", contentType).Want(400); a.String("error.code") != "invalid_upload" {
		t.Errorf("another field: %s", a.Body)
	}
	right, contentType := form(t, "file", "a.txt", []byte("hello"))
	h.Do("POST /attachments", right[:len(right)-20], "Content-Type", contentType).Refused(api.ErrInvalidUpload)
	h.Do("POST /attachments", large(content.MaxFile+1<<20, 'x'), "Content-Type", contentType).Refused(api.ErrTooLarge)
	if got := h.onDisk(); got != nil || h.storage() != 0 {
		t.Errorf("refused files lie in %v, %d MB", got, h.storage())
	}
	h.upload("a.bin", large(content.MaxFile, 'x')).Want(201)
}

// TestSameContent: a file that is uploaded twice lies there once and counts once.
func TestSameContent(t *testing.T) {
	h := setup(t)
	doc := large(3<<20, 'a')
	one, two := h.uploaded("a.bin", doc), h.uploaded("b.bin", doc)
	if one == two || len(h.onDisk()) != 1 || h.storage() != 3 {
		t.Fatalf("%s %s: files %v, %d MB", one, two, h.onDisk(), h.storage())
	}
	first := h.Org
	h.Org = h.organization("Other")
	h.uploaded("a.bin", doc)
	if len(h.onDisk()) != 2 || h.storage() != 3 {
		t.Errorf("another organization shares files: %v", h.onDisk())
	}
	h.Org = first
	h.update(func(tx *store.Tx) error {
		return content.Hold(tx, h.Org, "cmp_1", content.Holding{Attachments: []string{two}})
	})
	h.clock.Add(content.Keep + time.Minute)
	h.clean()
	h.Do("GET /attachments/"+one+"/content", nil).Refused(api.ErrNotFound)
	if a := h.Do("GET /attachments/"+two+"/content", nil).Want(200); len(a.Body) != len(doc) || h.storage() != 3 {
		t.Errorf("the other one has %d bytes, %d MB", len(a.Body), h.storage())
	}
}

func TestStorageLimit(t *testing.T) {
	h := setup(t)
	h.update(func(tx *store.Tx) error {
		_, err := org.SetOverrides(tx, h.Call(), h.Org, map[string]any{"storage_mb": 5.0})
		return err
	})
	doc := large(3<<20-10, 'a')
	h.uploaded("a.bin", doc)
	h.upload("b.bin", large(2<<20+20, 'b')).Refused(api.ErrPlanLimit)
	if n := len(h.onDisk()); n != 1 || h.storage() != 3 {
		t.Errorf("%d files, %d MB", n, h.storage())
	}
	h.uploaded("c.bin", large(2<<20, 'c'))
	h.uploaded("again.bin", doc) // the same takes no room
	h.uploaded("tiny.txt", []byte("1234567890"))
	h.upload("tiny.txt", []byte("12345678901")).Refused(api.ErrPlanLimit)
}

// TestUnused: 30 days after the last use an attachment goes (contract 6).
func TestUnused(t *testing.T) {
	h := setup(t)
	never, used, freed := h.uploaded("a.png", drawing(t, 40, 40)), h.uploaded("b.txt", []byte("b")), h.uploaded("c.txt", []byte("c"))
	h.update(func(tx *store.Tx) error {
		return content.Hold(tx, h.Org, "cmp_1", content.Holding{Attachments: []string{used, freed, used}})
	})
	h.clock.Add(content.Keep - time.Minute)
	h.update(func(tx *store.Tx) error {
		return content.Hold(tx, h.Org, "cmp_1", content.Holding{Attachments: []string{used}})
	})
	status := func(want ...int) {
		t.Helper()
		h.clean()
		for i, id := range []string{never, used, freed} {
			if a := h.Do("GET /attachments/"+id+"/content", nil); a.Status != want[i] {
				t.Errorf("attachment %d: %d, want %d", i, a.Status, want[i])
			}
		}
	}
	status(200, 200, 200)
	h.clock.Add(2 * time.Minute)
	status(404, 200, 200)
	h.clock.Add(content.Keep)
	status(404, 200, 404)
	if n := len(h.onDisk()); n != 1 {
		t.Errorf("%d files are left, want 1: %v", n, h.onDisk())
	}
	h.update(func(tx *store.Tx) error { return content.Release(tx, h.Org, "cmp_1") })
	h.clock.Add(content.Keep + time.Minute)
	status(404, 404, 404)
	if h.storage() != 0 || len(h.onDisk()) != 0 {
		t.Errorf("left: %d MB, %v", h.storage(), h.onDisk())
	}
	if n := len(slices.DeleteFunc(h.actions(), func(a string) bool { return a != "attachment.removed" })); n != 3 {
		t.Errorf("the log has %d removals", n)
	}
}

// TestCrash: what a crash can leave is removed, and nothing else.
func TestCrash(t *testing.T) {
	h := setup(t)
	pic := photo(t, 400, 400)
	id := h.uploaded("a.jpg", pic)
	kept := h.onDisk()
	for _, path := range kept { // as if it had been written before the commit failed
		orphan := filepath.Join(h.dir, "ff", "ff"+filepath.Base(path)[2:])
		if err := errors.Join(os.MkdirAll(filepath.Dir(orphan), 0o700), copyFile(path, orphan), copyFile(path, path+".tmp")); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(h.onDisk()); n != 6 {
		t.Fatalf("%d files", n)
	}
	h.clean()
	if got := h.onDisk(); !slices.Equal(got, kept) {
		t.Errorf("left %v, want %v", got, kept)
	}
	// A file that was damaged or lost is whole again when it is uploaded again.
	for _, path := range kept {
		if err := os.Truncate(path, 10); err != nil {
			t.Fatal(err)
		}
	}
	if a := h.Do("GET /attachments/"+id+"/content", nil).Refused(api.ErrInternal); strings.Contains(a.Body, h.dir) {
		t.Errorf("the answer names the disk: %s", a.Body)
	}
	h.upload("a.jpg", pic).Want(201)
	if a := h.Do("GET /attachments/"+id+"/content", nil).Want(200); len(a.Body) < len(pic)-2 {
		t.Errorf("%d bytes", len(a.Body))
	}
	h.Do("GET /attachments/"+id+"/content?thumb=1", nil).Want(200)
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o600)
}

// TestUploadsWhileCleaning: cleaning never takes the file of an upload under way.
func TestUploadsWhileCleaning(t *testing.T) {
	h := setup(t)
	stop := make(chan struct{})
	var cleaning sync.WaitGroup
	cleaning.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if err := h.s.Clean(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
	})
	var ids [4][]string
	var uploads sync.WaitGroup
	for w := range ids {
		uploads.Go(func() {
			for i := range 8 {
				ids[w] = append(ids[w], h.uploaded("a.txt", []byte{'a' + byte(i), 'x', 'y'}))
			}
		})
	}
	uploads.Wait()
	close(stop)
	cleaning.Wait()
	for _, id := range slices.Concat(ids[:]...) {
		h.Do("GET /attachments/"+id+"/content", nil).Want(200)
	}
	if n := len(h.onDisk()); n != 8 {
		t.Errorf("%d files for 8 contents", n)
	}
}

// TestCleaningJob: the job is there once, cleans, and comes again, for ever.
func TestCleaningJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := setupWith(t, store.Options{Engine: kv.NewMemory()})
		w := queue.New(h.db, queue.Options{})
		h.s.Work(w)
		for range 2 {
			h.update(h.s.Schedule)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- w.Run(ctx) }()
		synctest.Wait()
		id := h.uploaded("a.txt", []byte("a"))
		<-time.After(content.Keep - time.Hour)
		h.Do("GET /attachments/"+id+"/content", nil).Want(200)
		<-time.After(7 * time.Hour)
		synctest.Wait()
		h.Do("GET /attachments/"+id+"/content", nil).Refused(api.ErrNotFound)
		err := h.db.View(t.Context(), func(tx *store.Tx) error {
			list, total, err := queue.List(tx, queue.Maintenance, queue.Scheduled, 0, 10)
			if err == nil && (total != 1 || !list[0].At.After(h.db.Now())) {
				t.Errorf("%d jobs wait: %v", total, list)
			}
			return err
		})
		cancel()
		if err := errors.Join(err, <-ended); err != nil {
			t.Fatal(err)
		}
	})
}
