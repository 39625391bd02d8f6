package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// notifySystemd sends a state to the service manager, as sd_notify(3) does; without one it does nothing.
func notifySystemd(logger *slog.Logger, state string) {
	socket := os.Getenv("NOTIFY_SOCKET")
	if socket == "" {
		return
	}
	if socket[0] == '@' { // an abstract socket
		socket = "\x00" + socket[1:]
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err == nil {
		_, err = c.Write([]byte(state))
		err = errors.Join(err, c.Close())
	}
	if err != nil {
		logger.Warn("systemd could not be notified", "error", err)
	}
}

// reloading is the state with the time that systemd wants with it, on the monotonic clock.
func reloading() string {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return "RELOADING=1"
	}
	return fmt.Sprintf("RELOADING=1\nMONOTONIC_USEC=%d", t.Nano()/1000)
}

// feedWatchdog tells systemd that the service is alive, as long as it is, twice in each interval that systemd wants.
func (s *Service) feedWatchdog(ctx context.Context) {
	usec, err := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64)
	if err != nil || usec <= 0 {
		return
	}
	tick := time.NewTicker(time.Duration(usec) * time.Microsecond / 2)
	defer tick.Stop()
	for {
		if err := s.alive(); err == nil {
			notifySystemd(s.o.Logger, "WATCHDOG=1")
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
