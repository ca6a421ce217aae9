package api

import (
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// UnknownQuery lists the query parameters of a request that its operation does not
// describe, sorted.
func UnknownQuery(ctx huma.Context) (unknown []string) {
	address := ctx.URL()
	for _, name := range slices.Sorted(maps.Keys(address.Query())) {
		described := func(p *huma.Param) bool { return p.In == "query" && p.Name == name }
		if !slices.ContainsFunc(ctx.Operation().Parameters, described) {
			unknown = append(unknown, name)
		}
	}
	return unknown
}
