package jobs

import (
	"errors"
	"os"
	"strings"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// HintOf returns what to do about the error of a run, or "". The terminal, the page and the hooks show the same.
func HintOf(err error) string {
	if foreign := (*parts.Error)(nil); errors.As(err, &foreign) {
		return foreign.Hint
	}
	if missing := (*engine.Unavailable)(nil); errors.As(err, &missing) {
		return strings.TrimPrefix(DeviceHint(missing.Reason)+
			"; device: auto (--device auto) takes the CPU without a GPU", "; ")
	}
	return connector.HintOf(err)
}

// DeviceHint returns what to do about a part that is missing, or "".
func DeviceHint(r protocol.Reason) string {
	_, hidden := os.LookupEnv("CUDA_VISIBLE_DEVICES")
	switch {
	case r == protocol.NoWorker:
		return "build it with make worker in linchpin's source, and put it next to linchpin or name it in LINCHPIN_WORKER"
	case r == protocol.NoDriver:
		return "install the NVIDIA driver; the CUDA toolkit is not needed"
	case r == protocol.NoDevice && hidden:
		return "CUDA_VISIBLE_DEVICES hides devices; unset it to see all"
	case r == protocol.NoDevice:
		return "nvidia-smi shows what the driver sees; in a container, the devices must be passed in"
	case r == protocol.BadWorker:
		return "make build worker builds both from one source"
	}
	return ""
}
