package simulator

import (
	"github.com/gotd/td/bin"
	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/world"
)

func (s *Simulator) peopleMethods() map[uint32]method {
	return map[uint32]method{
		tg.UsersGetUsersRequestTypeID:           on(s.users),
		tg.UsersGetFullUserRequestTypeID:        on(s.fullUser),
		tg.ContactsResolveUsernameRequestTypeID: on(s.resolve),
		tg.ContactsResolvePhoneRequestTypeID:    on(s.resolvePhone),
		tg.ContactsGetContactsRequestTypeID:     on(s.contacts),
	}
}

// user is a person as the platform describes them to an account.
func user(p world.Seen) *tg.User {
	u := &tg.User{
		ID: p.ID, Self: p.Self, Contact: p.Contact, MutualContact: p.Contact, Bot: p.Bot, Deleted: p.Deleted, Premium: p.Premium,
	}
	u.SetAccessHash(p.Hash)
	if p.Bot {
		u.SetBotInfoVersion(1)
	}
	for _, f := range []struct {
		v   string
		set func(string)
	}{{p.First, u.SetFirstName}, {p.Last, u.SetLastName}, {p.Username, u.SetUsername}} {
		if f.v != "" && !p.Deleted {
			f.set(f.v)
		}
	}
	if p.Phone != "" && (p.Self || p.Contact) {
		u.SetPhone(p.Phone[1:])
	}
	u.SetFlags()
	return u
}

// usersOf are the people that messages are about.
func (s *Simulator) usersOf(account int64, ids ...int64) []tg.UserClass {
	seen := map[int64]bool{}
	once := ids[:0:0]
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			once = append(once, id)
		}
	}
	var out []tg.UserClass
	for _, p := range s.world.People(account, once...) {
		out = append(out, user(p))
	}
	return out
}

// named is a person as a client names them.
func named(in tg.InputUserClass) (world.Peer, bool) {
	switch u := in.(type) {
	case *tg.InputUserSelf:
		return world.Peer{Self: true}, true
	case *tg.InputUser:
		return world.Peer{ID: u.UserID, Hash: u.AccessHash}, true
	}
	return world.Peer{}, false
}

// peerOf is named for the other way of saying it.
func peerOf(in tg.InputPeerClass) (world.Peer, error) {
	switch p := in.(type) {
	case *tg.InputPeerSelf:
		return world.Peer{Self: true}, nil
	case *tg.InputPeerUser:
		return world.Peer{ID: p.UserID, Hash: p.AccessHash}, nil
	}
	return world.Peer{}, tgerr.New(400, "PEER_ID_INVALID")
}

// users leaves out who is not known, as the platform does with an empty user.
func (s *Simulator) users(c *call, q *tg.UsersGetUsersRequest) (bin.Encoder, error) {
	out := &tg.UserClassVector{}
	for _, in := range q.ID {
		peer, ok := named(in)
		if !ok {
			continue
		}
		p, err := s.world.Know(c.key(), peer)
		if err != nil {
			if !world.IsRefusal(err) {
				return nil, err
			}
			out.Elems = append(out.Elems, &tg.UserEmpty{ID: peer.ID})
			continue
		}
		out.Elems = append(out.Elems, user(p))
	}
	return out, nil
}

func (s *Simulator) fullUser(c *call, q *tg.UsersGetFullUserRequest) (bin.Encoder, error) {
	peer, ok := named(q.ID)
	if !ok {
		return nil, tgerr.New(400, "USER_ID_INVALID")
	}
	p, err := s.world.Know(c.key(), peer)
	if err != nil {
		return nil, err
	}
	return &tg.UsersUserFull{FullUser: tg.UserFull{ID: p.ID}, Users: []tg.UserClass{user(p)}}, nil
}

func (s *Simulator) resolve(c *call, q *tg.ContactsResolveUsernameRequest) (bin.Encoder, error) {
	return resolved(s.world.Resolve(c.key(), q.Username))
}

func (s *Simulator) resolvePhone(c *call, q *tg.ContactsResolvePhoneRequest) (bin.Encoder, error) {
	return resolved(s.world.ResolvePhone(c.key(), q.Phone))
}

func resolved(p world.Seen, err error) (bin.Encoder, error) {
	if err != nil {
		return nil, err
	}
	return &tg.ContactsResolvedPeer{Peer: &tg.PeerUser{UserID: p.ID}, Users: []tg.UserClass{user(p)}}, nil
}

// contacts answers that the book is as the client has it when the hash says so: that of
// the count and of the ids in ascending order (contacts.getContacts in the API).
func (s *Simulator) contacts(c *call, q *tg.ContactsGetContactsRequest) (bin.Encoder, error) {
	all, err := s.world.Contacts(c.key())
	if err != nil {
		return nil, err
	}
	out := &tg.ContactsContacts{SavedCount: len(all)}
	hash := hashed(0, len(all))
	for _, p := range all {
		out.Contacts = append(out.Contacts, tg.Contact{UserID: p.ID, Mutual: true})
		out.Users = append(out.Users, user(p))
		hash = hashed(hash, p.ID)
	}
	if hash != 0 && int64(hash) == q.Hash {
		return &tg.ContactsContactsNotModified{}, nil
	}
	return out, nil
}

// hashed is one step of the hash of a list (Pagination in the API, Hash generation).
func hashed[N int | int64](hash uint64, n N) uint64 {
	hash ^= hash >> 21
	hash ^= hash << 35
	hash ^= hash >> 4
	return hash + uint64(n)
}
