package signal_test

import (
	"errors"
	"slices"
	"testing"

	"svc/app/api"
	"svc/app/signal"
	"svc/store"
)

type born struct{ name string }

type died struct{ name string }

func TestPublishReachesSubscribersOfItsType(t *testing.T) {
	var b signal.Bus
	var heard []string
	signal.On(&b, func(_ *store.Tx, _ *api.Call, v born) error {
		heard = append(heard, "first "+v.name)
		return nil
	})
	signal.On(&b, func(_ *store.Tx, _ *api.Call, v born) error {
		heard = append(heard, "second "+v.name)
		return nil
	})
	if err := signal.Publish(&b, nil, nil, died{"x"}); err != nil {
		t.Fatal(err)
	}
	if err := signal.Publish(&b, nil, nil, born{"a"}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first a", "second a"}; !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
}

func TestAnErrorEndsIt(t *testing.T) {
	var b signal.Bus
	refusal := errors.New("no")
	signal.On(&b, func(*store.Tx, *api.Call, born) error { return refusal })
	signal.On(&b, func(*store.Tx, *api.Call, born) error {
		t.Error("asked after a refusal")
		return nil
	})
	if err := signal.Publish(&b, nil, nil, born{}); !errors.Is(err, refusal) {
		t.Errorf("got %v", err)
	}
	if err := signal.Publish[born](nil, nil, nil, born{}); err != nil {
		t.Errorf("without a bus: %v", err)
	}
}
