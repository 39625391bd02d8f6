package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
)

func newDevicesCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "devices",
		Short: "List the GPUs that a job can use, or say what is missing",
		Long: `Starts the GPU worker (LINCHPIN_WORKER, or linchpin-worker beside this program or on PATH) and lists the devices that
it sees: driver, memory, compute capability. CUDA_VISIBLE_DEVICES limits them. A machine without a GPU is no error:
jobs with device: auto use the CPU there.` + exitSection(statusDone, statusUsage),
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r := gpu.Devices(c.Context())
			if a.json {
				return a.printJSON(r)
			}
			return a.printDevices(r)
		},
	}
}

func (a *app) printDevices(r gpu.Report) error {
	if r.Worker != "" {
		fmt.Fprintf(a.stdout, "worker: %s\n", r.Worker)
	}
	if r.Visible != nil {
		fmt.Fprintf(a.stdout, "CUDA_VISIBLE_DEVICES: %q\n", *r.Visible)
	}
	if r.Reason != "" {
		fmt.Fprintf(a.stdout, "no GPU can be used: %s: %s\n", r.Reason, r.Detail)
		if hint := deviceHint(r); hint != "" {
			fmt.Fprintf(a.stdout, "hint: %s\n", hint)
		}
		return nil
	}
	t := &table{header: []string{"DEVICE", "NAME", "CAPABILITY", "FREE", "MEMORY", "SMS", "DRIVER"}}
	for i, d := range r.Devices {
		t.add(strconv.Itoa(i), d.Name, fmt.Sprintf("%d.%d", d.Major, d.Minor), hostmem.FormatBytes(d.Free), hostmem.FormatBytes(d.Total),
			strconv.Itoa(d.SMs), fmt.Sprintf("CUDA %d.%d", d.Driver/1000, d.Driver%1000/10))
	}
	return t.print(a.stdout)
}

// deviceHint says what to do about what is missing.
func deviceHint(r gpu.Report) string {
	switch {
	case r.Reason == gpu.NoWorker:
		return "make worker builds it; put it beside this program, or name it in LINCHPIN_WORKER"
	case r.Reason == gpu.NoDriver:
		return "install the NVIDIA driver; the CUDA toolkit is not needed"
	case r.Reason == gpu.NoDevice && r.Visible != nil:
		return "CUDA_VISIBLE_DEVICES hides devices; unset it to see all"
	case r.Reason == gpu.NoDevice:
		return "nvidia-smi shows what the driver sees; in a container, the devices must be passed in"
	case r.Reason == gpu.BadWorker:
		return "make build worker builds both from one source"
	}
	return ""
}

// examineDevices is the line of doctor on GPUs. None is a warning: jobs with device: gpu fail then, all others use the CPU.
func examineDevices(r gpu.Report) []finding {
	if r.Reason != "" {
		return []finding{{What: "GPU", Level: "warning", Detail: fmt.Sprintf("none: %s: %s", r.Reason, r.Detail), Hint: deviceHint(r)}}
	}
	var out []finding
	for i, d := range r.Devices {
		out = append(out, ok("GPU "+strconv.Itoa(i), "%s, compute capability %d.%d, %s of %s free, driver for CUDA %d.%d",
			d.Name, d.Major, d.Minor, hostmem.FormatBytes(d.Free), hostmem.FormatBytes(d.Total), d.Driver/1000, d.Driver%1000/10))
	}
	return out
}
