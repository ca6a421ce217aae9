package webtest

import (
	"strconv"
	"strings"

	"svc/web/webtest/compare"
)

// stable rewrites what differs from build to build: entry ids become the
// source object ("#n101", and "{n101}" in links), durations are elided.
func (s *Server) stable(n *compare.Node) {
	for i, item := range n.Items {
		if n.Kind == compare.Object {
			n.Items[i] = s.stableMember(n, n.Keys[i], item)
		}
		s.stable(n.Items[i])
	}
}

// stableMember is the member of an object as it stands in every build.
func (s *Server) stableMember(n *compare.Node, key string, item *compare.Node) *compare.Node {
	switch {
	case key == "took_ms", (key == "duration_ms" || key == "latency_ms") && item.Text != "null":
		return &compare.Node{Kind: compare.Elided}
	case key == "place_id", key == "id" && n.Member("url") == nil: // mapsrc.id is the source's own
		if ref := s.reference(item.Text); ref != "" {
			item.Text = compare.Quote("#" + ref)
		}
	case key == "geometry_url":
		id, ok := strings.CutPrefix(strings.Trim(item.Text, `"`), "/api/geometry/")
		if ref := s.reference(id); ok && ref != "" {
			item.Text = compare.Quote("/api/geometry/{" + ref + "}")
		}
	}
	return item
}

// reference is the source object of an entry, for example n101; "" for what is
// no entry.
func (s *Server) reference(id string) string {
	n, err := strconv.ParseUint(id, 10, 32)
	if err != nil {
		return ""
	}
	engine, release := s.maps.Acquire()
	defer release()
	if engine == nil || n >= uint64(len(engine.Index().Rows)) {
		return ""
	}
	source := engine.Index().Rows[n].Source
	return source.Type() + strconv.FormatInt(source.ID(), 10)
}

// EntryID finds the entry of a source object: letter is n, w or r.
func (s *Server) EntryID(letter, id string) (uint32, bool) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0, false
	}
	engine, release := s.maps.Acquire()
	defer release()
	if engine == nil {
		return 0, false
	}
	x := engine.Index()
	for entry := range x.Rows {
		if source := x.Rows[entry].Source; source.Type() == letter && source.ID() == n {
			return uint32(entry), true
		}
	}
	return 0, false
}
