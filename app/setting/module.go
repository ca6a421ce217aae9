package setting

import (
	"svc/app/module"
	"svc/messenger"
	"svc/store"
)

// Administered says whether there is a platform administrator. The slice of people
// offers it.
type Administered func(*store.Tx) (bool, error)

// Connectable says which networks this installation can connect. The slice of channels
// offers it.
type Connectable Channels

// Slice registers the settings of the platform.
func Slice() module.Slice {
	return module.Slice{Name: "setting", Tables: Tables, New: func(e *module.Env) module.Module {
		kind := ""
		if d, ok := module.Find[messenger.Driver](e); ok {
			kind = string(d.Kind())
		}
		s := New(e.DB, e.Options.Version, e.Options.PublicURL, Channels{}, nil).WithMessenger(kind)
		module.Provide(e, s)
		return module.Module{
			Endpoints: s.Endpoints(),
			Ready: func() {
				for _, f := range module.All[Administered](e) {
					s.administered = f
				}
				for _, x := range module.All[Connectable](e) {
					s.channels = Channels(x)
				}
			},
			Open: func(tx *store.Tx) error {
				ttl, size := Default().SessionTTLHours, Default().InboxMaxFileMB
				if n := e.Options.SessionTTLHours; n != 0 {
					ttl = n
				}
				if n := e.Options.InboxMaxFileMB; n != 0 {
					size = n
				}
				return Configure(tx, ttl, size)
			},
		}
	}}
}
