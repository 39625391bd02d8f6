package serve

import (
	"context"
	"log/slog"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// notifySystemd sends a state to the service manager; without one it does nothing.
func notifySystemd(logger *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		logger.Warn("systemd could not be notified", "error", err)
	}
}

// reloading is the state with the time that systemd wants with it, on the monotonic clock.
func reloading() string { return daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec() }

// feedWatchdog tells systemd that the service is alive, as long as it is, twice in each interval that systemd wants.
func (s *Service) feedWatchdog(ctx context.Context) {
	interval, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.o.Logger.Warn("the watchdog of systemd cannot be fed", "error", err)
	}
	if interval <= 0 {
		return
	}
	tick := time.NewTicker(interval / 2)
	defer tick.Stop()
	for {
		if err := s.alive(); err == nil {
			notifySystemd(s.o.Logger, daemon.SdNotifyWatchdog)
		} else {
			s.o.Logger.Error("the watchdog is not fed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
