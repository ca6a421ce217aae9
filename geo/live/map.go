package live

import (
	"log/slog"
	"time"

	"svc/geo/index"
	"svc/geo/search"
)

// Observer hears what happens to the map; metrics implement it.
type Observer interface {
	MapLoaded(entries int, bytes int64, builtAt time.Time)
	MapFailed()
}

// Map is the index that serves now, if any.
type Map struct{ *File[*served] }

// served is an open index with the engine that searches it. The engine is made
// when the index has been checked, because that reads it all over.
type served struct {
	*index.Index
	engine *search.Engine
}

// New opens the map at path, or says in the log why it cannot. An empty path
// is a service without a map. reload is how often the file is looked at; 0 is
// never. observer may be nil. later says that the file may come after the start, which is
// no failure then.
func New(path string, reload time.Duration, later bool, log *slog.Logger, observer Observer) *Map {
	kind := Kind[*served]{
		Name: "map", Optional: later,
		Open: func(path string) (*served, error) {
			x, err := index.Open(path)
			if err != nil {
				return nil, err
			}
			return &served{Index: x}, nil
		},
		Loaded: func(s *served) []any {
			x := s.Index
			s.engine = search.New(x)
			if observer != nil {
				observer.MapLoaded(x.Meta.Entries, x.Size(), x.Meta.BuiltAt)
			}
			return []any{"entries", x.Meta.Entries, "bytes", x.Size(), "built_at", x.Meta.BuiltAt}
		},
	}
	if observer != nil {
		kind.Failed = observer.MapFailed
	}
	return &Map{Open(path, reload, log, kind)}
}

// Acquire gives the engine of the map that serves now, and the function that
// lets it go. Without a map the engine is nil. What was read from the engine is
// valid until then.
func (m *Map) Acquire() (*search.Engine, func()) {
	s, release, ok := m.File.Acquire()
	if !ok {
		return nil, release
	}
	return s.engine, release
}
