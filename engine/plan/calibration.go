package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
)

// Calibration is what a short run on a device found: how its times compare with the table's.
type Calibration struct {
	Device string `json:"device"`
	// Driver is the CUDA version of the driver. Another driver calls for another calibration.
	Driver int `json:"driver"`
	// Model is the version of the cost model that Factors are for.
	Model   int     `json:"model"`
	Factors Factors `json:"factors"`
	// Failed says why these are the factors of the table: the run failed. "" when it did not.
	Failed string `json:"failed,omitempty"`
}

// model is the version of the cost model. Raise it when predictions change.
const model = 3

// leastFactor and greatestFactor bound what a calibration may say: beyond, the run was disturbed.
const leastFactor, greatestFactor = 0.05, 50

// Measure runs a fixed workload on a device, or on one CPU thread, warm, and returns its features, the
// engine that ran, and its seconds without the way to a worker.
type Measure func(ctx context.Context, on Device) (f *Features, engine string, seconds float64, err error)

// Cached returns the calibration of a device from the user's cache; ok is false where there is none that fits.
func Cached(d gpu.Info) (c Calibration, ok bool) {
	path, err := cachePath(d)
	if err != nil {
		return c, false
	}
	c, err = load(path)
	return c, err == nil && c.matches(d)
}

// Calibrate returns the calibration of a device from the user's cache, or measures it and stores it there.
// An error of storing it is returned next to a valid calibration.
func Calibrate(ctx context.Context, r *Rates, d gpu.Info, measure Measure) (Calibration, error) {
	if c, ok := Cached(d); ok {
		return c, nil
	}
	path, err := cachePath(d)
	if err != nil {
		path = "" // nowhere to keep it
	}
	c := Calibration{Device: d.Name, Driver: d.Driver, Model: model}
	if c.Factors.Device, err = r.factor(ctx, GPU, measure); err != nil {
		return Calibration{}, err
	}
	if c.Factors.CPU, err = r.factor(ctx, CPU, measure); err != nil {
		return Calibration{}, err
	}
	if path == "" {
		return c, nil
	}
	return c, c.save(path)
}

// KeepDefault keeps the factors of the table for a device whose calibration failed, so that it is not tried for every
// run. Another driver, or another version of the model, calls for another try.
func KeepDefault(d gpu.Info, why error) error {
	path, err := cachePath(d)
	if err != nil {
		return err
	}
	c := Calibration{
		Device: d.Name, Driver: d.Driver, Model: model, Factors: Factors{Device: 1, CPU: 1}, Failed: why.Error(),
	}
	return c.save(path)
}

// Calibration returns the calibration of the rates of a device, for a process that cannot read it from the user's
// cache.
func (r *Rates) Calibration(d gpu.Info) Calibration {
	return Calibration{Device: d.Name, Driver: d.Driver, Model: model, Factors: r.Factors}
}

// By returns the rates for a device at hand by a calibration that was handed on. Without one, or with that of another
// device, ok is false.
func By(c *Calibration, d gpu.Info) (r *Rates, ok bool) {
	if c == nil || !c.matches(d) {
		return nil, false
	}
	return Here().ScaledTo(d).With(*c), true
}

// Positive reports whether predictions can be multiplied by the factors.
func (f Factors) Positive() bool {
	return sound(f.Device) && sound(f.CPU) && f.Device > 0 && f.CPU > 0
}

// With returns the rates scaled by a calibration.
func (r *Rates) With(c Calibration) *Rates {
	out := *r
	out.Factors = c.Factors
	return &out
}

// factor is measured over predicted time.
func (r *Rates) factor(ctx context.Context, on Device, measure Measure) (float64, error) {
	f, engine, seconds, err := measure(ctx, on)
	if err != nil {
		return 0, fmt.Errorf("calibrating the %s: %w", on, err)
	}
	r = r.With(Calibration{Factors: Factors{Device: 1, CPU: 1}})
	for _, c := range Candidates(f, f.Guess(), Machine{Rates: r, Threads: 1, GPU: true, Warm: true}) {
		if c.Device != on || c.Engine != engine || c.Reductions != nil || c.Cost.Search <= 0 {
			continue
		}
		return min(greatestFactor, max(leastFactor, (seconds-c.Cost.Prepare)/c.Cost.Search)), nil
	}
	return 0, fmt.Errorf("calibrating the %s: no prediction for engine %q", on, engine)
}

// matches reports whether the calibration is a sound one of this device, driver and model.
func (c Calibration) matches(d gpu.Info) bool {
	return c.Device == d.Name && c.Driver == d.Driver && c.Model == model && c.Factors.sound()
}

func (f Factors) sound() bool {
	for _, x := range []float64{f.Device, f.CPU} {
		if !(x >= leastFactor && x <= greatestFactor) {
			return false
		}
	}
	return true
}

// cachePath is where the calibration of a device is kept.
func cachePath(d gpu.Info) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, d.Name)
	return filepath.Join(cache, "linchpin", "rates", fmt.Sprintf("%s-%d.json", name, d.Driver)), nil
}

func load(path string) (c Calibration, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(data, &c)
}

// save writes the file in one step, so that a reader never sees half of it.
func (c Calibration) save(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	file, err := export.CreatePending(path)
	if err != nil {
		return err
	}
	defer file.Discard()
	if _, err := file.Write(append(data, '\n')); err != nil {
		return err
	}
	return file.Commit()
}
