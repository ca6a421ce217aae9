package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/app/mapkey"
)

// keyTableHead is the head of a table of keys.
var keyTableHead = []string{"NAME", "KEY", "STATE", "RATE/MIN", "QUOTA/MONTH", "ORIGINS", "CREATED", "NOTE"}

// keyRow is the row of a key of which start may be shown.
func keyRow(k mapkey.Key, start string) []string {
	state := "active"
	if k.Disabled {
		state = "revoked"
	}
	return []string{
		k.Name, start, state, number(k.RateLimit, "default"), number(k.MonthlyQuota, "unlimited"),
		originCell(k.Origins), dateCell(k.CreatedAt), k.Note,
	}
}

func number(n int64, none string) string {
	if n <= 0 {
		return none
	}
	return strconv.FormatInt(n, 10)
}

// originCell keeps the line short: two origins and how many more there are.
func originCell(origins []string) string {
	switch n := len(origins); {
	case n == 0:
		return "everywhere"
	case n > 2:
		return fmt.Sprintf("%s, %s and %d more", origins[0], origins[1], n-2)
	}
	return strings.Join(origins, ", ")
}

func dateCell(created string) string {
	if t, err := time.Parse(time.RFC3339, created); err == nil {
		return t.UTC().Format(time.DateOnly)
	}
	return created
}
