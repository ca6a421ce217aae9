package anthropic_test

import (
	"testing"

	"svc/ai"
	"svc/ai/aitest"
)

func TestConformance(t *testing.T) { aitest.Run(t, ai.Anthropic) }
