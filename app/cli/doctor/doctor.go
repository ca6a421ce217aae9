// Package doctor looks at everything that a server would use: the map and its tiles, keys,
// usage, the database of several nodes, the master key, disks, the clock, the mail server and
// the routing engine.
//
// It promises to change nothing, to name no secret, and to say of each thing that is wrong
// what to do.
package doctor

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"svc/app/cli/terminal"
	"svc/app/cli/usage"
	"svc/geo/route"
	"svc/store/masterkey"
)

// Subject are the settings of the server that is looked at.
type Subject struct {
	Map         string // index file
	Tiles       string // archive that is named; "": TilesBeside
	TilesBeside string // archive beside the index file
	Terrain     string
	MapSource   string // the setting of that name; "": none
	Keys        string // key file
	RequireKey  bool
	Usage       string // usage file
	Data        string // folder
	Store       string // address of a database; "": a file in Data
	Files       string // the setting of that name; "": Data
	Messaging   bool
	Database    string // file of the database; "" for none
	HasDatabase bool   // there is one already
	MasterKey   masterkey.Source
	RoutingURL  string
	SMTPURL     string
	MailFrom    string
	Warnings    []string // of the configuration
}

// Finding is one line of the doctor.
type Finding struct {
	Area    string        `json:"area"` // "map", "keys", "engine", ...
	Name    string        `json:"name"` // what was looked at
	Verdict route.Verdict `json:"verdict"`
	Found   string        `json:"found"`
	Do      string        `json:"do,omitempty"` // empty when good
}

// Findings collects lines.
type Findings []Finding

func (f *Findings) good(area, name, format string, args ...any) {
	*f = append(*f, Finding{area, name, route.Good, fmt.Sprintf(format, args...), ""})
}

func (f *Findings) warn(area, name, do, format string, args ...any) {
	*f = append(*f, Finding{area, name, route.Warning, fmt.Sprintf(format, args...), do})
}

func (f *Findings) bad(area, name, do, format string, args ...any) {
	*f = append(*f, Finding{area, name, route.Bad, fmt.Sprintf(format, args...), do})
}

// Examine looks at everything that a server with these settings would use, and changes
// nothing.
func Examine(ctx context.Context, c *Subject, now time.Time) (f Findings) {
	for _, w := range c.Warnings {
		if strings.HasPrefix(w, "map is empty") {
			continue // told below
		}
		what, do, _ := strings.Cut(w, "; ")
		f.warn("settings", "doubt", do, "%s", what)
	}
	f.checkMapSource(c)
	towns := f.checkMap(c, now)
	f.checkTiles(c)
	f.checkKeys(c)
	f.checkUsage(c)
	f.checkDisk(c)
	f.checkClock(ctx, c, now)
	f.checkEngine(ctx, c.RoutingURL, towns)
	f.checkMail(ctx, c)
	f.checkDatabase(ctx, c)
	f.checkFiles(ctx, c)
	if c.Messaging {
		f.checkMasterKey(ctx, c)
		f.checkMissingFiles(ctx, c)
	}
	return f
}

// Count is how many lines have a verdict.
func (f Findings) Count(v route.Verdict) (n int) {
	for _, one := range f {
		if one.Verdict == v {
			n++
		}
	}
	return n
}

var marks = map[route.Verdict]string{route.Good: "✓", route.Warning: "!", route.Bad: "✗"}

// Print writes a line for each, aligned by hand: a tabwriter counts the
// bytes of a mark, not its width.
func (f Findings) Print(w io.Writer) error {
	area, name := 0, 0
	for _, one := range f {
		area, name = max(area, len(one.Area)), max(name, len(one.Name))
	}
	var b strings.Builder
	for _, one := range f {
		fmt.Fprintf(&b, "%s %-*s  %-*s  %s\n", marks[one.Verdict], area, one.Area, name, one.Name, one.Found)
		if one.Do != "" {
			fmt.Fprintf(&b, "  %*s  %*s  → %s\n", area, "", name, "", one.Do)
		}
	}
	fmt.Fprintf(&b, "\n%s, %d to look at, %d broken\n", usage.Count(len(f), "check"), f.Count(route.Warning), f.Count(route.Bad))
	_, err := io.WriteString(w, b.String())
	return err
}

// PrintJSON writes them for programs.
func (f Findings) PrintJSON(w io.Writer) error {
	return terminal.JSON(w, struct {
		OK     bool     `json:"ok"`
		Checks Findings `json:"checks"`
	}{f.Count(route.Bad) == 0, f})
}
