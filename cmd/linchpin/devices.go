package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
)

func newDevicesCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "devices",
		GroupID: groupSetup,
		Short:   "List the GPUs that a job can use, or say what is missing",
		Long: `Starts the GPU worker (LINCHPIN_WORKER, or linchpin-worker next to this program or on PATH) and lists the devices that
it sees: driver, memory, compute capability. CUDA_VISIBLE_DEVICES limits them. A machine without a GPU is no error:
jobs with device: auto use the CPU there.` + exitSection(statusDone, statusUsage),
		Example: `  linchpin devices
  linchpin devices --json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r := engine.Devices(c.Context())
			if a.json {
				return a.printJSON(r)
			}
			return a.printDevices(r)
		},
	}
}

func (a *app) printDevices(r engine.Report) error {
	if r.Worker != "" {
		fmt.Fprintf(a.stdout, "worker: %s\n", r.Worker)
	}
	if r.Visible != nil {
		fmt.Fprintf(a.stdout, "CUDA_VISIBLE_DEVICES: %q\n", *r.Visible)
	}
	if r.Reason != "" {
		fmt.Fprintf(a.stdout, "no GPU can be used: %s\n", r.Detail)
		if hint := jobs.DeviceHint(r.Reason); hint != "" {
			fmt.Fprintf(a.stdout, "hint: %s\n", hint)
		}
		return nil
	}
	t := &table{header: []string{"GPU", "NAME", "CAPABILITY", "FREE", "MEMORY", "SMS", "DRIVER"}}
	for i, d := range r.Devices {
		t.add(strconv.Itoa(i), d.Name, fmt.Sprintf("%d.%d", d.Major, d.Minor), hostmem.FormatBytes(d.Free),
			hostmem.FormatBytes(d.Total), strconv.Itoa(d.SMs), fmt.Sprintf("CUDA %d.%d", d.Driver/1000, d.Driver%1000/10))
	}
	return t.print(a.stdout)
}

// examineDemands finds the jobs that demand a GPU where none can be used.
func examineDemands(c *config.Config, r engine.Report) []finding {
	var out []finding
	for _, job := range c.Jobs {
		p := jobs.Policy(job.Compute)
		if !p.Demands() {
			continue
		}
		if r.Reason != "" {
			out = append(out, bad("job "+job.Name, &engine.Unavailable{Reason: r.Reason, Detail: r.Detail}))
			continue
		}
		for _, index := range p.Devices(len(r.Devices)) {
			if index >= len(r.Devices) {
				detail := fmt.Sprintf("there is no gpu:%d among %d", index, len(r.Devices))
				out = append(out, bad("job "+job.Name, &engine.Unavailable{Reason: protocol.NoDevice, Detail: detail}))
			}
		}
	}
	return out
}

// examineDevices is the line of doctor on GPUs. A machine with neither a GPU nor a worker is as it should be; a worker
// that finds no GPU, or a GPU without a worker, is a warning.
func examineDevices(r engine.Report) []finding {
	if r.Reason == protocol.NoWorker && !engine.DriverLoaded() {
		return []finding{ok("GPU", "none; jobs with device: auto use the CPU")}
	}
	if r.Reason != "" {
		return []finding{{What: "GPU", Level: "warning", Detail: "none can be used: " + r.Detail,
			Hint: jobs.DeviceHint(r.Reason)}}
	}
	var out []finding
	for i, d := range r.Devices {
		out = append(out, ok("GPU "+strconv.Itoa(i), "%s, compute capability %d.%d, %s of %s free, driver for CUDA %d.%d",
			d.Name, d.Major, d.Minor, hostmem.FormatBytes(d.Free), hostmem.FormatBytes(d.Total), d.Driver/1000,
			d.Driver%1000/10))
	}
	return out
}
