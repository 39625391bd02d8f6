package faults

import "syscall"

// mountSmall mounts a tmpfs of the given size.
func mountSmall(at, size string) error {
	return syscall.Mount("tmpfs", at, "tmpfs", 0, "mode=0700,size="+size)
}
