package doctor

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"svc/app/cli/terminal"
	"svc/app/cli/usage"
	"svc/app/mapkey"
	"svc/app/mapkey/origin"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/route"
	"svc/geo/tileset"
)

// oldData is the age at which a map of a country surely misses roads and places.
const oldData = 180 * 24 * time.Hour

// checkMap opens the index file and verifies every section. It returns two
// towns of it for a question to the routing engine; nil without a good map.
func (f *Findings) checkMap(c *Subject, now time.Time) []route.Point {
	const area = "map"
	path := c.Map
	if path == "" {
		f.warn(area, "index file", "build one with 'svc map build' and name it with --map FILE", "none is named: what needs an index answers 503")
		return nil
	}
	x, err := index.Open(path)
	if errors.Is(err, fs.ErrNotExist) && c.MapSource != "" {
		f.warn(area, "index file", "start the server, which fetches it", "there is no file %s yet", path)
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		f.bad(area, "index file", "'svc map build' makes index files", "there is no file %s", path)
		return nil
	}
	if err == nil {
		defer func() { _ = x.Close() }() // it was only read
		err = x.Verify()
	}
	if err != nil {
		f.bad(area, "index file", "build it again with 'svc map build'", "%v", err)
		return nil
	}
	f.good(area, "index file", "%s: %d entries, %s, every checksum right", path, x.Meta.Entries, terminal.Bytes(x.Size()))
	switch age := now.Sub(x.Meta.SourceTime); {
	case x.Meta.SourceTime.IsZero():
		f.good(area, "age", "built %s; the extract did not say how old it is", x.Meta.BuiltAt.UTC().Format("2006-01-02"))
	case age > oldData:
		f.warn(area, "age", "build a map of a newer extract", "its data is of %s, %d days old", x.Meta.SourceTime.UTC().Format("2006-01-02"), int(age.Hours()/24))
	default:
		f.good(area, "age", "its data is of %s", x.Meta.SourceTime.UTC().Format("2006-01-02"))
	}
	return townsOf(x)
}

// Two towns are near enough for a cheap route and far enough for several ways.
const (
	nearTown = 5_000 // metres
	farTown  = 150_000
)

// townsOf is the most important town and the next one at a fitting distance.
func townsOf(x *index.Index) []route.Point {
	var best []uint32
	for _, id := range []string{"place.city", "place.town", "place.village"} {
		if c, ok := x.CategoryByID(id); ok {
			best = append(best, x.Category(c)...)
		}
	}
	point := func(id uint32) geom.Point { return x.Rows[id].Point() }
	var first uint32
	for i, id := range best {
		if i == 0 || x.Rows[id].Rank > x.Rows[first].Rank {
			first = id
		}
	}
	second, found := uint32(0), false
	for _, id := range best {
		d := geom.Distance(point(first), point(id))
		if d >= nearTown && d <= farTown && (!found || x.Rows[id].Rank > x.Rows[second].Rank) {
			second, found = id, true
		}
	}
	if !found {
		return nil
	}
	at := func(id uint32) route.Point { return route.Point{Lon: point(id).Lon(), Lat: point(id).Lat()} }
	return []route.Point{at(first), at(second)}
}

// checkTiles opens the archives that would be served.
func (f *Findings) checkTiles(c *Subject) {
	const area = "tiles"
	path, beside := c.Tiles, false
	if path == "" && c.Map != "" {
		path, beside = c.TilesBeside, true
	}
	f.checkArchive(area, path, beside, "'svc map build' makes them beside the index file, or name an archive with --tiles FILE", tileset.OpenVector)
	if _, err := os.Stat(c.Terrain); c.Terrain != "" && (err == nil || c.MapSource == "") {
		f.checkArchive("terrain", c.Terrain, false, "name another file with --terrain FILE", tileset.OpenTerrain)
	}
}

func (f *Findings) checkArchive(area, path string, beside bool, do string, open func(string) (*tileset.Set, error)) {
	if path == "" {
		f.warn(area, "archive", do, "none: the map has no picture")
		return
	}
	s, err := open(path)
	switch {
	case err != nil && errors.Is(err, fs.ErrNotExist) && beside:
		f.warn(area, "archive", do, "there is no file %s: the map has no picture", path)
	case err != nil:
		f.bad(area, "archive", do, "%v", err)
	default:
		i := s.Info()
		f.good(area, "archive", "%s: %s, zooms %d to %d, %s", path, s.Container(), i.MinZoom, i.MaxZoom, terminal.Bytes(s.Size()))
		_ = s.Close() // it was only read
	}
}

// checkKeys reads the key file.
func (f *Findings) checkKeys(c *Subject) {
	const area = "keys"
	if c.Keys == "" {
		f.warn(area, "key file", "make one with 'svc keys add NAME --keys FILE' and name it with --keys FILE", "none: everybody may ask everything")
		return
	}
	info, err := os.Stat(c.Keys)
	if errors.Is(err, fs.ErrNotExist) {
		verdict := f.warn
		if c.RequireKey {
			verdict = f.bad
		}
		verdict(area, "key file", "make it with 'svc keys add NAME --keys "+c.Keys+"'", "there is no file %s", c.Keys)
		return
	}
	if err == nil {
		_, err = mapkey.ListKeys(c.Keys)
	}
	if err != nil {
		f.bad(area, "key file", "correct it; the server does not start with it", "%v", err)
		return
	}
	list, _ := mapkey.ListKeys(c.Keys)
	f.countKeys(c, list)
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		f.warn(area, "file mode", "chmod 600 "+c.Keys, "%v: others on this machine can read the keys", mode)
	} else {
		f.good(area, "file mode", "%v", mode)
	}
}

// countKeys looks at the keys themselves and names none of them.
func (f *Findings) countKeys(c *Subject, list []mapkey.Listed) {
	const area = "keys"
	var enabled, open int
	var never []string
	for _, k := range list {
		if k.Disabled {
			continue
		}
		enabled++
		if len(k.Origins) == 0 {
			open++
		}
		for _, o := range k.Origins {
			if wrong := origin.Check(o); wrong != "" {
				never = append(never, wrong)
			}
		}
	}
	switch {
	case enabled == 0 && c.RequireKey:
		f.bad(area, "key file", "make a key with 'svc keys add NAME --keys "+c.Keys+"'", "no key is enabled: every request is refused")
	default:
		f.good(area, "key file", "%s: %d enabled, %d of them without origins", c.Keys, enabled, open)
	}
	if len(never) > 0 {
		f.warn(area, "origins", "correct the entry in "+c.Keys, "%s (%s like it)", never[0], usage.Count(len(never)-1, "more"))
	}
	if !c.RequireKey {
		f.warn(area, "require-key", "turn on require-key when the keys are handed out", "off: requests without a key pass")
	}
}

func (f *Findings) checkUsage(c *Subject) {
	const area = "usage"
	path := c.Usage
	if path == "" && c.Messaging {
		f.good(area, "usage file", "none: the database of the messaging service counts")
		return
	}
	if path == "" {
		f.warn(area, "usage file", "name one with --usage FILE", "none: nothing is metered and no quota holds")
		return
	}
	switch state, err := mapkey.CheckUsage(path); {
	case err != nil:
		f.bad(area, "usage file", "move it away to start a new one, or restore a copy", "%v", err)
	case state == mapkey.UsageMissing:
		f.good(area, "usage file", "%s: the server will make it", path)
	case state == mapkey.UsageInUse:
		f.good(area, "usage file", "%s: a running server counts into it", path)
	default:
		f.good(area, "usage file", "%s: sound", path)
	}
}

// Free space of a folder that the server writes into.
const (
	littleSpace   = 1 << 30
	tooLittleFree = 100 << 20
)

// checkDisk looks at the folders that the server writes into, once each.
func (f *Findings) checkDisk(c *Subject) {
	seen := map[string]bool{}
	folders := []string{c.Data}
	if c.Usage != "" {
		folders = append(folders, filepath.Dir(c.Usage))
	}
	for _, path := range folders {
		folder := existing(path)
		if seen[folder] {
			continue
		}
		seen[folder] = true
		free, err := freeSpace(folder)
		switch {
		case err != nil:
			f.bad("disk", "free space", "see that the folder can be read", "%v", err)
		case free < tooLittleFree:
			f.bad("disk", "free space", "make room: counts of requests are lost when the disk is full", "%s: %s", folder, terminal.Bytes(int64(free)))
		case free < littleSpace:
			f.warn("disk", "free space", "make room soon", "%s: %s", folder, terminal.Bytes(int64(free)))
		default:
			f.good("disk", "free space", "%s: %s", folder, terminal.Bytes(int64(min(free, 1<<62))))
		}
	}
}

// existing is the nearest folder above path, or itself, that exists: the server
// makes the rest.
func existing(path string) string {
	for {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return path
		}
		up := filepath.Dir(path)
		if up == path {
			return path
		}
		path = up
	}
}

// checkEngine asks a running engine.
func (f *Findings) checkEngine(ctx context.Context, address string, towns []route.Point) {
	const area = "engine"
	if address == "" {
		f.good(area, "address", "none: no routes are served (--routing-url turns them on)")
		return
	}
	u, err := url.Parse(address)
	if err != nil {
		f.bad(area, "address", "correct --routing-url", "not a web address")
		return
	}
	if host := u.Hostname(); host == "localhost" || net.ParseIP(host).IsLoopback() {
		f.good(area, "address", "%s, on this machine only", u.Redacted())
	} else {
		f.warn(area, "address", "run it beside the server, listening on 127.0.0.1, or see that nobody else reaches it",
			"%s: the engine has no keys, and who reaches it can use it", u.Redacted())
	}
	for _, n := range (&route.Client{BaseURL: address}).Check(ctx, towns) {
		*f = append(*f, Finding{area, n.Name, n.Verdict, n.Found, n.Do})
	}
}
