package inbox

import (
	"errors"
	"testing"

	"svc/app/inbox/channel"
)

// TestSimulateNeedsSimulator: with the real messenger nobody can be made to write.
func TestSimulateNeedsSimulator(t *testing.T) {
	s := &Service{o: Options{Networks: channel.Networks{channel.OnMessenger: &channel.Messenger{}}}}
	if _, err := s.simulator(nil, "org", "acc"); !errors.Is(err, ErrSimulatorOnly) {
		t.Errorf("%v, want simulator_only", err)
	}
}
