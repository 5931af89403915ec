# packaging/systemd: the unit is without errors, and its sandbox as tight as packaging/README says.
command -v systemd-analyze >/dev/null || {
    echo "SKIP systemd-analyze is not there"
    exit 77
}
unit=$SRC/packaging/systemd/sigrep@.service
threshold=$(sed -n 's/.*exposure level of \([0-9.]*\).*/\1/p' "$SRC/packaging/README.md")
echo "threshold $threshold"
# It must be a program that is there.
sed "s:/usr/bin/sigrep:$(command -v sigrep):" "$unit" >sigrep@.service
SYSTEMD_LOG_LEVEL=warning systemd-analyze verify --man=no ./sigrep@.service 2>&1 | grep sigrep
systemd-analyze security --offline=true \
    --threshold="$(awk -v t="$threshold" 'BEGIN { print t * 10 }')" "$unit" >printed 2>&1
echo "security: status $?"
# A weaker one is found out.
grep -v '^ProtectSystem\|^SystemCallFilter\|^PrivateNetwork' "$unit" >weak@.service
systemd-analyze security --offline=true \
    --threshold="$(awk -v t="$threshold" 'BEGIN { print t * 10 }')" ./weak@.service >printed 2>&1
echo "weaker: status $?"
