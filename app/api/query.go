package api

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// UnknownQuery lists the query parameters of a request that its operation does not
// describe, sorted, for an operation that refuses them.
func UnknownQuery(ctx huma.Context) []string {
	address := ctx.URL()
	unknown := unknownParameters(ctx.Operation(), address.RawQuery)
	slices.Sort(unknown)
	return unknown
}
