package planning

import (
	"os"
	"testing"
)

func TestTables(t *testing.T) {
	if err := Write(os.Stdout); err != nil {
		t.Fatal(err)
	}
}
