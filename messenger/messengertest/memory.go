package messengertest

import (
	"bytes"
	"context"
	"maps"
	"sync"

	"svc/messenger"
)

// Memory is a messenger.Memory without a disk. A copy is what a restart finds.
type Memory struct {
	mu      sync.Mutex
	session []byte
	peers   map[int64]messenger.Peer
	files   map[string][]byte
	state   []byte
	book    []byte
	fail    error
}

var _ messenger.Memory = (*Memory)(nil)

// NewMemory is an empty memory.
func NewMemory() *Memory {
	return &Memory{peers: map[int64]messenger.Peer{}, files: map[string][]byte{}}
}

// Copy is what is kept at this moment: the memory of a process that is killed now.
func (m *Memory) Copy() *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &Memory{session: m.session, peers: maps.Clone(m.peers), files: maps.Clone(m.files), state: m.state, book: m.book}
}

// Fail makes everything fail from now on; nil ends that.
func (m *Memory) Fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// Session is the session that was kept last.
func (m *Memory) Session() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.session
}

// SaveSession implements messenger.Memory.
func (m *Memory) SaveSession(_ context.Context, session []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.session = bytes.Clone(session)
	return m.fail
}

// Peer implements messenger.Memory.
func (m *Memory) Peer(_ context.Context, id int64) (messenger.Peer, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.peers[id]
	return p, ok, m.fail
}

// SavePeers implements messenger.Memory.
func (m *Memory) SavePeers(_ context.Context, peers []messenger.Peer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		for _, p := range peers {
			m.peers[p.ID] = p
		}
	}
	return m.fail
}

// UpdateState implements messenger.Memory.
func (m *Memory) UpdateState(context.Context) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state, m.fail
}

// SaveUpdateState implements messenger.Memory.
func (m *Memory) SaveUpdateState(_ context.Context, state []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		m.state = bytes.Clone(state)
	}
	return m.fail
}

// Book implements messenger.Memory.
func (m *Memory) Book(context.Context) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.book, m.fail
}

// SaveBook implements messenger.Memory.
func (m *Memory) SaveBook(_ context.Context, state []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		m.book = bytes.Clone(state)
	}
	return m.fail
}

// File implements messenger.Memory.
func (m *Memory) File(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.files[key], m.fail
}

// SaveFile implements messenger.Memory.
func (m *Memory) SaveFile(_ context.Context, key string, ref []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		m.files[key] = bytes.Clone(ref)
	}
	return m.fail
}
