package recipient_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"svc/app/org"
	"svc/app/recipient"
)

// The figures of the messaging core (issue 4, 6) beside their targets. Run with
// -benchtime=1x; SVC_BENCH_RECORDS is how many recipients there are, 100,000 when
// it is not set.

const (
	importTarget = 5 * time.Second       // 100,000 rows to durable, with all indexes
	pageTarget   = 10 * time.Millisecond // p99 of a page at a million
)

func benchRecords() int {
	if n, err := strconv.Atoi(os.Getenv("SVC_BENCH_RECORDS")); err == nil {
		return n
	}
	return 100_000
}

// peopleCSV makes rows from a number on: Uzbek, Russian and English names, some
// without a basis, one in fifty opted out.
func peopleCSV(from, n int) string {
	first := []string{"Дилшод", "Olga", "Aziza", "Иван", "Malika", "John", "Нодира", "Otabek"}
	consent := []string{"OPTED_IN", "opted in", "AUTHORIZED", "", "EXISTING_RELATIONSHIP"}
	var b strings.Builder
	b.WriteString("tg_id;username;Name;Surname;lang;Consent;consent_timestamp;tags;City;Order No\r\n")
	for i := from; i < from+n; i++ {
		h := uint32(i)*2654435761 | 1
		status := consent[h%5]
		if h%50 == 7 {
			status = "OPTED_OUT"
		}
		fmt.Fprintf(&b, "%d;%s_%d;%s;Surname%d;%s;%s;2026-01-%02d;tag%d;%s;%d\r\n", 100_000_000+int64(h), []string{"ali", "olga", "user", "shop"}[h>>8%4], i,
			first[h>>3%8], h%5000, []string{"uz", "ru", "en"}[i%3], status, 1+h%28, h%40, []string{"Tashkent", "Samarkand", "\"Almaty, KZ\""}[h%3], i)
	}
	return b.String()
}

// cpu is the processor time of this process so far.
func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkImport is one file of 100,000 rows: looked through, imported into an
// empty organization, and imported once more over what is there. Processor time is
// beside the time that passed, because other programs share this machine.
func BenchmarkImport(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // as a server has it
	content := peopleCSV(0, 100_000)
	for _, name := range []string{"dry", "new", "again"} {
		b.Run(name, func(b *testing.B) {
			h := newHarness(b, recipient.Options{}).work()
			h.Org = newOrg(b, h.db, org.Enterprise)
			status, fields := 201, map[string]string{"tags": "bench", "new_list_name": "Bench"}
			switch name {
			case "dry":
				status, fields = 200, map[string]string{"dry_run": "true"}
			case "again":
				h.upload(content, nil).Want(201)
				fields = nil
			}
			for b.Loop() {
				used := cpu()
				took := timed(b, func() { h.upload(content, fields).Want(status) })
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(took.Seconds(), "s/100k")
				b.ReportMetric((cpu() - used).Seconds(), "cpu-s/100k")
				b.ReportMetric(importTarget.Seconds(), "target-s")
			}
		})
	}
}

func timed(b *testing.B, f func()) time.Duration {
	b.Helper()
	begin := time.Now()
	f()
	return time.Since(begin)
}

// BenchmarkList is pages of 50 at SVC_BENCH_RECORDS recipients, through the whole
// operation: decoding, filter, totals, names of lists, JSON.
func BenchmarkList(b *testing.B) {
	h := newHarness(b, recipient.Options{}).work()
	h.Org = newOrg(b, h.db, org.Enterprise)
	for from := 0; from < benchRecords(); from += 100_000 {
		n := min(100_000, benchRecords()-from)
		fields := map[string]string{"new_list_name": fmt.Sprint("List ", from)}
		h.upload(peopleCSV(from, n), fields).Want(201)
	}
	list := h.Do("GET /lists?limit=1", nil).Want(200).String("data.0.id")
	now := h.db.Now()
	hour := now.Truncate(time.Hour)
	for _, q := range []struct{ name, query string }{
		{"newest", ""},
		{"any_offset", "offset=%d"},
		{"consent", "consent_status=OPTED_IN"},
		{"three_filters", "consent_status=AUTHORIZED&language=ru&tag=tag7"},
		{"list_and_tag", "tag=tag3&list_id=" + list},
		{"not_suppressed_created", "suppressed=false&created_from=" + hour.Add(-time.Hour).Format(time.RFC3339) + "&created_to=" + hour.Add(time.Hour).Format(time.RFC3339)},
		{"created_within_the_hour", "created_from=" + hour.Format(time.RFC3339) + "&created_to=" + now.Format(time.RFC3339Nano)},
		{"by_name", "sort=first_name"},
		{"filtered_by_name", "sort=first_name&tag=tag9&language=uz"},
		{"q_username_2", "q=ol"},
		{"q_username_7", "q=olga_12"},
		{"q_name_2", "q=al"},
		{"q_name_3", "q=%D0%B4%D0%B8%D0%BB"},
		{"q_name_cyrillic", "q=%D0%BC%D0%B0%D0%BB%D0%B8%D0%BA%D0%B0"},
		{"q_name_first_last", "q=dilshod+surname12"},
		{"q_last_name", "q=surname123"},
		{"q_id_2", "q=12"},
		{"q_id_5", "q=12345"},
	} {
		b.Run(q.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				took = took[:0]
				for i := range 200 {
					query := q.query
					if strings.Contains(query, "%d") {
						query = fmt.Sprintf(query, i*7919%max(1, benchRecords()-50))
					}
					took = append(took, timed(b, func() { h.Do("GET /recipients?"+query, nil).Want(200) }))
				}
			}
			slices.Sort(took)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
			b.ReportMetric(took[len(took)*99/100].Seconds()*1000, "p99-ms")
			b.ReportMetric(pageTarget.Seconds()*1000, "target-ms")
		})
	}
}
