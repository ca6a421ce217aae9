package fakes

import "svc/ai/simulator"

// Models plays a scene at the providers of language models: a line of package simulator,
// or "clear" to end them all.
func Models(sim *simulator.Simulator, line string) error {
	if line == "clear" {
		sim.Clear()
		return nil
	}
	return sim.Play(line)
}
