# Counts Meson's test logs (testlog.json, one test a line): prints "passed failed skipped". A test that speaks TAP counts
# by its points; one that says nothing counts as one; one that ended badly without a failed point counts as one failure.

{
    result = $0
    sub(/^.*", "result": "/, "", result)
    sub(/".*/, "", result)
    output = $0
    sub(/^.*"stdout": "/, "", output)
    sub(/", "result": ".*/, "", output)
    points = bad = 0
    n = split(output, line, /\\n/)
    for (i = 1; i <= n; i++) {
        if (line[i] ~ /^ok [0-9]+/) {
            points++
            if (line[i] ~ /# SKIP/) skipped++
            else passed++
        } else if (line[i] ~ /^not ok [0-9]+/) {
            points++
            bad++
        }
    }
    failed += bad
    if (result == "OK" || result == "EXPECTEDFAIL") passed += !points
    else if (result == "SKIP") skipped += !points
    else failed += !bad
}

END { print passed + 0, failed + 0, skipped + 0 }
