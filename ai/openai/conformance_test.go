package openai_test

import (
	"testing"

	"svc/ai"
	"svc/ai/aitest"
)

func TestConformance(t *testing.T) { aitest.Run(t, ai.OpenAI) }

func TestConformanceCompatible(t *testing.T) { aitest.Run(t, ai.Compatible) }
