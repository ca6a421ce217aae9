package file

import "svc/app/api"

// The refusals of this package beside the general ones.
var (
	errNoFile      = api.ErrInvalidUpload.WithMessage("The upload has no file; send multipart/form-data with the field file.")
	errNoThumbnail = api.ErrNotFound.WithMessage("This file has no thumbnail.")
)
