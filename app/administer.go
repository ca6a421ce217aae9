package app

import (
	"svc/app/admin"
	"svc/app/audit"
	"svc/app/campaign"
	"svc/app/user"
	"svc/messenger"
	"svc/store/queue"
)

// administration is what administrators of the platform see and steer.
func (a *App) administration(users *user.Service, log *audit.Service, campaigns *campaign.Service, tasks map[queue.Name]admin.Tasks) admin.Options {
	o := admin.Options{
		Orgs: a.orgs, Users: users, Audit: log, Accounts: a.accounts, Campaigns: campaigns, Workers: a.workers, Build: admin.Build{Version: a.o.Version},
		Data: a.o.Data, Driver: messenger.Simulator, SchedulePeriodicJobs: a.schedulePeriodicJobs, Tasks: tasks, Warnings: a.o.Warnings, Log: a.o.Log,
	}
	if a.driver == nil {
		return o
	}
	o.Driver = a.driver.Kind()
	if clocked, ok := a.driver.(messenger.Clocked); ok {
		o.ClockSkew = clocked.ClockSkew
	}
	o.Loads = map[admin.WorkerKind]func() admin.Load{
		admin.Inbound: func() admin.Load {
			online := a.accounts.OnlineCount()
			return admin.Load{Busy: online, Accounts: &online}
		},
	}
	return o
}
