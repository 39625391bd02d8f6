#!/bin/sh
# Before the package is removed. Debian passes remove or upgrade, RPM 0 (last) or 1 (upgrade).
set -e

case "$1" in
remove | 0)
  if [ -d /run/systemd/system ]; then
    systemctl --no-reload disable --now linchpin.service || true
  fi
  ;;
esac
