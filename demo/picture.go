package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/picture"
)

// drawMap writes the map of the last run of hubs as an SVG file, for the documentation.
func drawMap(ctx context.Context, s *server, path string) error {
	text, err := command(ctx, s, "history", "hubs", "--limit", "1", "--json").Output()
	if err != nil {
		return err
	}
	var runs []connector.Run
	if err := json.Unmarshal(text, &runs); err != nil {
		return err
	}
	if len(runs) == 0 || !picture.IsMap(runs[0].Around) {
		return fmt.Errorf("the last run of hubs has no map")
	}
	return os.WriteFile(path, []byte(picture.File(runs[0].Around)), 0o644)
}
