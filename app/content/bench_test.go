package content_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"svc/app/api/apitest"
	"svc/app/content"
	"svc/app/vault"
	"svc/store"
	"svc/store/storetest"
)

func benchHarness(b *testing.B) *harness {
	h := &harness{dir: b.TempDir(), db: storetest.OpenWith(b, "", store.Options{Tables: tables()})}
	h.s = content.New(h.db, content.Options{Vault: vault.InFolder(h.dir, h.db)})
	h.Server = apitest.New(b, h.db, h.s)
	h.Org = h.organization("Bazaar")
	return h
}

// BenchmarkUpload: from the form to durable, sealed file and record.
func BenchmarkUpload(b *testing.B) {
	for _, size := range []int{100 << 10, 20 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			h := benchHarness(b)
			file := large(size, 'x')
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				binary.BigEndian.PutUint64(file[8:], uint64(i))
				h.uploaded("a.data", file)
				if i%200 == 199 {
					b.StopTimer()
					h.Org = h.organization("Bazaar") // its plan has room again
					b.StartTimer()
				}
			}
		})
	}
}

// BenchmarkRange: 4 KB out of 20 MB.
func BenchmarkRange(b *testing.B) {
	h := benchHarness(b)
	route := "GET /attachments/" + h.uploaded("a.data", large(20<<20, 'x')) + "/content"
	b.ReportAllocs()
	for b.Loop() {
		h.Do(route, nil, "Range", "bytes=10000000-10004095").Want(206)
	}
}
