package neo4j

import (
	"context"
	"fmt"
	"log/slog"
)

// driverLog gives the driver's messages to a slog.Logger, one level lower: what the driver calls an error is often
// retried, and if not it comes back as our error.
type driverLog struct{ to *slog.Logger }

func (l driverLog) Error(name, id string, err error) { l.log(slog.LevelWarn, name, id, err.Error()) }

func (l driverLog) Warnf(name, id, msg string, args ...any) {
	l.log(slog.LevelInfo, name, id, msg, args...)
}

func (l driverLog) Infof(name, id, msg string, args ...any) {
	l.log(slog.LevelDebug, name, id, msg, args...)
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
