package api

// Optional is how an answer shows what may be missing: nil, which JSON shows as null, for
// the zero value.
func Optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
