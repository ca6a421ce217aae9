package world

import (
	"bytes"

	"github.com/gotd/td/crypto"
	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/world/record"
)

func authKey(value []byte) crypto.AuthKey {
	var k crypto.Key
	copy(k[:], value)
	return k.WithID()
}

// Key finds an authorization key by its id. A data centre knows the keys only that were
// made at it.
func (w *World) Key(id [8]byte, dc int) (crypto.AuthKey, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.keys[id]
	if k == nil || k.dc != dc {
		return crypto.AuthKey{}, false
	}
	return k.auth, true
}

// SaveKey keeps a key that a client just agreed on with a data centre.
func (w *World) SaveKey(k crypto.AuthKey, dc int) error {
	w.mu.Lock()
	w.put(&record.Record{K: record.KindKey, Key: bytes.Clone(k.Value[:]), DC: dc})
	w.mu.Unlock()
	return w.Commit()
}

// AccountOf is who a key is signed in to, or the platform's answer to any request of a
// key that is not.
func (w *World) AccountOf(id [8]byte) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := w.accountOf(id)
	if err != nil {
		return 0, err
	}
	return a.id, nil
}

func (w *World) accountOf(id [8]byte) (*account, error) {
	k := w.keys[id]
	switch {
	case k == nil || k.account == 0 && k.ended == "":
		return nil, errUnregistered
	case k.ended != "":
		return nil, platform(k.ended)
	}
	a := w.accounts[k.account]
	if a == nil {
		return nil, errUnregistered
	}
	if a.limit.Ban != "" {
		return nil, platform(a.limit.Ban)
	}
	return a, nil
}

// of runs f for the account of a key.
func of[T any](w *World, id [8]byte, f func(a *account) (T, error)) (T, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := w.accountOf(id)
	if err != nil {
		var none T
		return none, err
	}
	return f(a)
}

// Describe notes how the client of a key describes itself.
func (w *World) Describe(id [8]byte, d Device) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if k := w.keys[id]; k != nil {
		k.device = d
	}
}

// Devices are the clients of an account as they described themselves last; since when
// the process started.
func (w *World) Devices(number string) (out []Device) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := w.account(number)
	if err != nil {
		return nil
	}
	for _, k := range w.keys {
		if k.account == a.id && k.device != (Device{}) {
			out = append(out, k.device)
		}
	}
	return out
}

// endSessions ends every session of an account: the platform answers with name from now
// on, or forgets the keys altogether for "".
func (w *World) endSessions(a *account, name string) {
	for _, k := range w.keys {
		if k.account != a.id {
			continue
		}
		r := &record.Record{K: record.KindForget, Key: k.auth.Value[:]}
		if name != "" {
			r = &record.Record{K: record.KindKey, Key: k.auth.Value[:], Ended: name}
		}
		w.put(r)
	}
	if name == "" {
		w.events = append(w.events, Event{Account: a.id, Kick: true})
	}
}

// IsRefusal says whether an error is an answer of the platform.
func IsRefusal(err error) bool {
	_, ok := tgerr.As(err)
	return ok
}
