"""Carries the GPU worker of linchpin, which the package linchpin finds and starts. It needs a driver and no CUDA."""
