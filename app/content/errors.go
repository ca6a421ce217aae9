package content

import "svc/app/api"

// The refusals of this slice beside the general ones (contract 46 and 6).
var (
	errNameTaken   = api.ErrConflict.WithMessage("A template of this name exists; choose another name.")
	errTemplateRun = api.ErrConflict.WithMessage("A scheduled or running campaign uses this template; wait for its end or cancel it.")
	errTooLarge    = api.ErrTooLarge.WithMessage("A file may have 20 MB; make it smaller or send a link.")
	errPhotoLarge  = api.ErrTooLarge.WithMessage("A photo may have 10 MB; make it smaller.")
	errNoThumbnail = api.ErrNotFound.WithMessage("This file has no thumbnail.")
)
