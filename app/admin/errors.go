package admin

import "svc/app/api"

// The refusals of this slice (contract 46.1).
var (
	ErrQueueNotFound    = &api.Error{Kind: api.NotFound, Code: "queue_not_found", Message: "There is no queue of that name; GET /admin/queues lists them."}
	ErrQueueNotStarted  = &api.Error{Kind: api.Conflict, Code: "queue_not_started", Message: "The queue has received no task yet."}
	ErrTaskNotFound     = &api.Error{Kind: api.NotFound, Code: "task_not_found", Message: "The queue has no such task; it may have ended meanwhile."}
	ErrTaskNotRetryable = &api.Error{Kind: api.Conflict, Code: "task_not_retryable", Message: "Only a task that was given up, waits for another try or is scheduled can be retried."}
	ErrTaskActive       = &api.Error{Kind: api.Conflict, Code: "task_active", Message: "The task is running; it can be dropped when it has ended."}

	errForever = api.ErrState.WithMessage("This task runs for ever and cannot be dropped; pause its queue to stop it for a while.")

	errSelf = api.ErrConflict.WithMessage("You cannot disable yourself; another administrator can.")
	errLast = api.ErrConflict.WithMessage("This is the last platform administrator who can sign in; make another one first.")
	errLink = api.ErrNotFound.WithMessage("This link was used already, is older than 5 minutes or was made for another administrator; open a new support session.")
)
