package api

// Bounds of a list (specification, General conventions).
const (
	DefaultLimit = 50
	MaxLimit     = 500
)

// PageIn are the parameters that every list takes; embed it.
type PageIn struct {
	Limit  int `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"How many to answer."`
	Offset int `query:"offset" minimum:"0" default:"0" doc:"How many to pass over."`
}

// Page is the answer of a list: {data, total, limit, offset}.
type Page[T any] struct {
	Data   []T `json:"data"`
	Total  int `json:"total" doc:"How many there are in all, exactly."`
	Limit  int `json:"limit"`
	Offset int `json:"offset"`
}

// NewPage makes the answer to in. data may be nil.
func NewPage[T any](data []T, total int, in PageIn) Page[T] {
	if data == nil {
		data = []T{}
	}
	return Page[T]{Data: data, Total: total, Limit: in.Limit, Offset: in.Offset}
}

// List is the answer of a list that is always whole: {data}.
type List[T any] struct {
	Data []T `json:"data"`
}

// NewList makes the answer of a whole list. data may be nil.
func NewList[T any](data []T) List[T] {
	if data == nil {
		data = []T{}
	}
	return List[T]{Data: data}
}
