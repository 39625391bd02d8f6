#!/bin/sh
# After the package is removed. Debian passes purge when the config is to go, too; RPM has no such thing.
set -e

if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi

if [ "$1" = purge ]; then
  rm -rf /etc/linchpin /var/lib/linchpin /etc/systemd/system/linchpin.service.d
  if getent passwd linchpin >/dev/null && command -v userdel >/dev/null; then userdel linchpin; fi
fi
