package recipienttest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// PeopleCSV makes rows from a number on: Uzbek, Russian and English names, some
// without a basis, one in fifty opted out.
func PeopleCSV(from, n int) string {
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

// Timed is how long f takes.
func Timed(b *testing.B, f func()) time.Duration {
	b.Helper()
	begin := time.Now()
	f()
	return time.Since(begin)
}
