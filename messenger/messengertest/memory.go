package messengertest

import (
	"bytes"
	"context"
	"maps"
	"sync"

	"svc/messenger"
)

// StateStore is a messenger.StateStore without a disk. A copy is what a restart finds.
type StateStore struct {
	mu      sync.Mutex
	session []byte
	peers   map[int64]messenger.Peer
	files   map[string][]byte
	state   []byte
	book    []byte
	fail    error
}

var _ messenger.StateStore = (*StateStore)(nil)

// NewStateStore is an empty memory.
func NewStateStore() *StateStore {
	return &StateStore{peers: map[int64]messenger.Peer{}, files: map[string][]byte{}}
}

// Copy is what is kept at this moment: the memory of a process that is killed now.
func (m *StateStore) Copy() *StateStore {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &StateStore{session: m.session, peers: maps.Clone(m.peers), files: maps.Clone(m.files), state: m.state, book: m.book}
}

// Fail makes everything fail from now on; nil ends that.
func (m *StateStore) Fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// Session is the session that was kept last.
func (m *StateStore) Session() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.session
}

// SaveSession implements messenger.StateStore.
func (m *StateStore) SaveSession(_ context.Context, session []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.session = bytes.Clone(session)
	return m.fail
}

// Peer implements messenger.StateStore.
func (m *StateStore) Peer(_ context.Context, id int64) (messenger.Peer, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.peers[id]
	return p, ok, m.fail
}

// SavePeers implements messenger.StateStore.
func (m *StateStore) SavePeers(_ context.Context, peers []messenger.Peer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		for _, p := range peers {
			m.peers[p.ID] = p
		}
	}
	return m.fail
}

// UpdateState implements messenger.StateStore.
func (m *StateStore) UpdateState(context.Context) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state, m.fail
}

// SaveUpdateState implements messenger.StateStore.
func (m *StateStore) SaveUpdateState(_ context.Context, state []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		m.state = bytes.Clone(state)
	}
	return m.fail
}

// Contacts implements messenger.StateStore.
func (m *StateStore) Contacts(context.Context) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.book, m.fail
}

// SaveContacts implements messenger.StateStore.
func (m *StateStore) SaveContacts(_ context.Context, state []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		m.book = bytes.Clone(state)
	}
	return m.fail
}

// File implements messenger.StateStore.
func (m *StateStore) File(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.files[key], m.fail
}

// SaveFile implements messenger.StateStore.
func (m *StateStore) SaveFile(_ context.Context, key string, ref []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		m.files[key] = bytes.Clone(ref)
	}
	return m.fail
}
