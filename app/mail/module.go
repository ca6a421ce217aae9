package mail

import (
	"svc/app/module"
	"svc/store"
	"svc/store/queue"
)

// Slice registers mails. They go to the [Sender] that is provided; without one none is
// sent.
func Slice() module.Slice {
	return module.Slice{Name: "mail", Tables: Tables, New: func(e *module.Env) module.Module {
		sender, _ := module.Find[Sender](e)
		return module.Module{
			Open:    func(tx *store.Tx) error { return Configure(tx, sender != nil, e.Options.PublicURL) },
			Workers: func(w *queue.Workers) { Work(w, e.DB, sender) },
			Cleanup: []module.Cleanup{{Platform: Purge}},
		}
	}}
}
