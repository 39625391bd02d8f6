package engine

// DeviceInfo describes a device.
type DeviceInfo struct {
	Name string `json:"name"`
	// Major and Minor are the compute capability.
	Major int `json:"major"`
	Minor int `json:"minor"`
	// SMs is the number of multiprocessors; Threads the most that one of them keeps resident.
	SMs     int `json:"sms"`
	Threads int `json:"threads"`
	// SharedBlock is the most shared memory that a block can take when it asks for it, in bytes; L2 is the cache.
	SharedBlock int   `json:"sharedBlock"`
	L2          int64 `json:"l2"`
	// Free and Total memory in bytes; Free when the device was opened.
	Free  int64 `json:"free"`
	Total int64 `json:"total"`
	// Display says that the device draws a screen, whose driver ends kernels that take seconds.
	Display bool `json:"display,omitempty"`
	// Driver is the CUDA version that the driver serves, such as 13000.
	Driver int `json:"driver"`
}
