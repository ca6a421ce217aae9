package admin

import (
	"svc/app/account"
	"svc/app/audit"
	"svc/app/campaign"
	"svc/app/engine"
	"svc/app/hook"
	"svc/app/module"
	"svc/app/org"
	"svc/app/send"
	"svc/app/user"
	"svc/messenger"
	"svc/store/queue"
)

// Slice registers the administration of the platform.
func Slice() module.Slice {
	return module.Slice{Name: "admin", Tables: Tables, New: func(e *module.Env) module.Module {
		accounts := module.Get[*account.Service](e)
		o := Options{
			Orgs: module.Get[*org.Service](e), Users: module.Get[*user.Service](e), Audit: module.Get[*audit.Service](e),
			Accounts: accounts, Campaigns: module.Get[*campaign.Service](e), AI: module.Get[*engine.Service](e), Workers: e.Workers,
			Tasks: map[queue.Name]Tasks{queue.Send: module.Get[*send.Service](e), queue.Webhooks: module.Get[*hook.Service](e)},
			Build: Build{Version: e.Options.Version}, Data: e.Options.Data, Driver: messenger.Simulator,
			SchedulePeriodicJobs: e.Periodic, Warnings: e.Options.Warnings, Log: e.Log,
		}
		if driver, ok := module.Find[messenger.Driver](e); ok {
			o.Driver = driver.Kind()
			if clocked, ok := driver.(messenger.Clocked); ok {
				o.ClockSkew = clocked.ClockSkew
			}
			o.Loads = map[WorkerKind]func() Load{Inbound: func() Load {
				online := accounts.OnlineCount()
				return Load{Busy: online, Accounts: &online}
			}}
		}
		s := New(e.DB, o)
		return module.Module{Endpoints: s.Endpoints(), Run: s.Run}
	}}
}
