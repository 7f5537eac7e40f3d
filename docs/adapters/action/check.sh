#!/usr/bin/env bash
# Run the checker as the environment variables of action.yml say; the exit code is that of `rkde verify`.
set -o nounset

arguments=(verify --adapter "$ADAPTER" --timeout "$TIMEOUT")
for level in $LEVELS; do arguments+=(--level "$level"); done
if [ -n "$TOLERANCE" ]; then arguments+=(--tolerance "$TOLERANCE"); fi
if [ -n "$KNOWN_FAILURES" ]; then arguments+=(--known-failures "$KNOWN_FAILURES"); fi

# The report first: its exit code is the same, and a report of a failed run is wanted too.
if [ -n "$REPORT" ]; then "$RKDE" "${arguments[@]}" --json > "$REPORT"; fi
if [ -n "$BADGE" ]; then arguments+=(--badge "$BADGE"); fi
"$RKDE" "${arguments[@]}" --format markdown | tee -a "$GITHUB_STEP_SUMMARY"
exit "${PIPESTATUS[0]}"
