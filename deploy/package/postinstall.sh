#!/bin/sh
# After the package is installed or upgraded. Debian passes "configure [OLD-VERSION]", RPM 1 (first) or 2 (upgrade).
set -e

case "$1" in
configure) [ -n "$2" ] && upgrade=yes || upgrade=no ;;
1) upgrade=no ;;
2) upgrade=yes ;;
*) exit 0 ;; # Debian's abort-*: nothing was changed
esac

if ! getent passwd linchpin >/dev/null; then
  useradd --system --user-group --home-dir /var/lib/linchpin --no-create-home --shell /usr/sbin/nologin linchpin
fi

if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  if [ "$upgrade" = yes ]; then systemctl try-restart linchpin.service || true; fi
fi

# The service is not started here: it has nothing to do until the config names a database.
if [ "$upgrade" = no ]; then
  cat <<'TEXT'
linchpin: edit /etc/linchpin/linchpin.yml, then put the database's password into /etc/linchpin/password and a token into
linchpin: /etc/linchpin/token (both readable by root alone), and run: systemctl enable --now linchpin
TEXT
fi
