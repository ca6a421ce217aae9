package telegram

import (
	"bytes"
	"context"
	"sync"

	"github.com/gotd/td/session"

	"svc/messenger"
	"svc/messenger/telegram/dial"
)

// memorySession keeps the session of a sign-in, whose key may change when the platform
// moves it to another data centre.
type memorySession struct {
	mu   sync.Mutex
	data []byte
}

// LoadSession is called by the library.
func (s *memorySession) LoadSession(context.Context) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.data) == 0 {
		return nil, session.ErrNotFound
	}
	return bytes.Clone(s.data), nil
}

// StoreSession is called by the library.
func (s *memorySession) StoreSession(_ context.Context, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data = bytes.Clone(data)
	return nil
}

// boundSession is the session of an account: one key for ever. The library stores the
// session at every connect; Memory hears of it only when the platform moved it.
type boundSession struct {
	memorySession
	key    []byte // id of the key that the account signed in with
	dc     int
	memory messenger.StateStore
	// foreign is called when the library made another key.
	foreign func()
}

// bind reads the session of an account; ok is false when it cannot be read.
func bind(data []byte, memory messenger.StateStore, foreign func()) (s *boundSession, ok bool) {
	d, ok := readSession(data)
	if !ok {
		return nil, false
	}
	return &boundSession{
		memorySession: memorySession{data: bytes.Clone(data)},
		key:           d.AuthKeyID, dc: d.DC, memory: memory, foreign: foreign,
	}, true
}

// readSession reads what the library stored.
func readSession(data []byte) (*session.Data, bool) {
	d, err := (&session.Loader{Storage: &memorySession{data: data}}).Load(context.Background())
	return d, err == nil && len(d.AuthKey) == 256 && len(d.AuthKeyID) == 8
}

// StoreSession is called by the library.
func (s *boundSession) StoreSession(ctx context.Context, data []byte) error {
	d, ok := readSession(data)
	if !ok || !bytes.Equal(d.AuthKeyID, s.key) {
		s.foreign()
		return dial.ErrUnknownKey
	}
	if err := s.memorySession.StoreSession(ctx, data); err != nil {
		return err
	}
	s.mu.Lock()
	moved := s.dc != d.DC
	s.dc = d.DC
	s.mu.Unlock()
	if moved {
		return s.memory.SaveSession(ctx, data)
	}
	return nil
}

// elsewhere says whether a data centre (0: none yet) is another than the session's: what
// was asked there was asked with a key that nobody signed in with.
func (s *boundSession) elsewhere(dc int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return dc != 0 && dc != s.dc
}
