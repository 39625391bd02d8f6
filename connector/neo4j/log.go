package neo4j

import (
	"context"
	"fmt"
	"log/slog"
)

// driverLog gives the driver's messages to a slog.Logger, at the debug level or below: what the driver warns of is
// often retried, and what is not comes back as our error, which says what to do.
type driverLog struct{ to *slog.Logger }

func (l driverLog) Error(name, id string, err error) { l.log(slog.LevelDebug, name, id, err.Error()) }

func (l driverLog) Warnf(name, id, msg string, args ...any) {
	l.log(slog.LevelDebug, name, id, msg, args...)
}

func (l driverLog) Infof(name, id, msg string, args ...any) {
	l.log(slog.LevelDebug-4, name, id, msg, args...)
}

func (l driverLog) Debugf(name, id, msg string, args ...any) {
	l.log(slog.LevelDebug-4, name, id, msg, args...)
}

func (l driverLog) log(level slog.Level, name, id, msg string, args ...any) {
	ctx := context.Background()
	if !l.to.Enabled(ctx, level) {
		return
	}
	if len(args) > 0 {
		msg = fmt.Sprintf(msg, args...)
	}
	l.to.Log(ctx, level, msg, "driver", name, "id", id)
}
