package jobs

import (
	"crypto/rand"
	"time"
)

// newRunID returns an id that sorts by time and does not repeat: 20261121T030000Z-3kq7xw2a.
func newRunID(now time.Time) string {
	return now.UTC().Format("20060102T150405Z") + "-" + rand.Text()[:8]
}
