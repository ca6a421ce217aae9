package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// NoMemoryLimit is Config.MemoryLimit when nothing bounds the memory.
const NoMemoryLimit = math.MaxInt64

// noLimit is how that is written.
const noLimit = "off"

// minMemory is the least that a limit may be: below, the process would do little but
// collect garbage.
const minMemory = 64 << 20

var memoryUnits = []struct {
	name  string
	bytes float64
}{{"KIB", 1 << 10}, {"MIB", 1 << 20}, {"GIB", 1 << 30}, {"TIB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}

// memorySize reads a size such as 512MiB, 1.5 GB or off, in bytes; 0 for "".
func memorySize(text string) (int64, error) {
	text = strings.ToUpper(strings.TrimSpace(text))
	switch text {
	case "":
		return 0, nil
	case strings.ToUpper(noLimit):
		return NoMemoryLimit, nil
	}
	for _, unit := range memoryUnits {
		number, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if bytes := n * unit.bytes; err == nil && bytes >= 0 && bytes < math.MaxInt64 {
			return int64(bytes), nil
		}
	}
	return 0, errors.New("write a number with MiB, GiB, MB or GB, such as 512MiB, or " + noLimit)
}

func checkMemory(text string) error {
	n, err := memorySize(text)
	if err != nil {
		return fmt.Errorf("%q is no amount of memory; %w", text, err)
	}
	if n < minMemory {
		return fmt.Errorf("%s is too little; give at least %d MiB", text, minMemory>>20)
	}
	return nil
}
