# Walks the includes of the C files named on the command line (paths relative to the project's root, as from
# `find lib studies tests`) and prints one line per fault: a floor that includes a higher one, floor 3 including
# floor 2, files that include each other, an include that leads nowhere. Prints nothing when all is well.
# usage: awk [-v generated="FILE..."] -f floors.awk FILE...    (from the root; generated: headers that the build makes)

function floor_of(path) {
    if (path ~ /^lib\/(base|rng|stat|linalg|tap)\//) return 1
    if (path == "lib/lemmata.h") return 4 # gathers floors 1 and 2 for the user: nothing below may lean on it
    if (path ~ /^lib\/study\//) return 3
    if (path ~ /^lib\/cli\//) return 5
    if (path ~ /^lib\//) return 2
    if (path ~ /^studies\//) return 4
    return 5
}

function normal(path) {
    while (sub(/[^\/.]+\/\.\.\//, "", path)) continue
    return path
}

function resolve(from, name,    folder, n, i, tries) {
    folder = from
    sub(/[^\/]*$/, "", folder)
    n = split("lib/" name "|" folder name "|tests/" name, tries, "|")
    for (i = 1; i <= n; i++)
        if (normal(tries[i]) in known) return normal(tries[i])
    return ""
}

BEGIN {
    for (i = 1; i < ARGC; i++) known[ARGV[i]] = 1
    n = split(generated, made, " ")
    for (i = 1; i <= n; i++) known[made[i]] = 1
}

/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    quoted = /"/
    name = $0
    sub(/^[^"<]*["<]/, "", name)
    sub(/[">].*/, "", name)
    target = resolve(FILENAME, name)
    if (target == "") {
        if (quoted) printf "%s:%d: \"%s\" leads to no file of the project\n", FILENAME, FNR, name
        next
    }
    from = floor_of(FILENAME)
    to = floor_of(target)
    if (to > from)
        printf "%s:%d: floor %d includes floor %d (%s)\n", FILENAME, FNR, from, to, target
    if (from == 3 && to == 2)
        printf "%s:%d: floor 3 includes floor 2 (%s)\n", FILENAME, FNR, target
    if (FILENAME == target)
        printf "%s:%d: includes itself\n", FILENAME, FNR
    if (!((FILENAME, target) in edge)) {
        edge[FILENAME, target] = 1
        edges++
        source[edges] = FILENAME
        sink[edges] = target
    }
}

# Take away, over and over, the files that no longer include anything: what stays goes round in circles.
END {
    do {
        changed = 0
        for (file in known) pending[file] = 0
        for (e = 1; e <= edges; e++)
            if (!gone[e]) pending[source[e]]++
        for (e = 1; e <= edges; e++)
            if (!gone[e] && pending[sink[e]] == 0) {
                gone[e] = 1
                changed = 1
            }
    } while (changed)
    # The other way round too: a file that only leads into a circle is not part of it.
    do {
        changed = 0
        for (file in known) pending[file] = 0
        for (e = 1; e <= edges; e++)
            if (!gone[e]) pending[sink[e]]++
        for (e = 1; e <= edges; e++)
            if (!gone[e] && pending[source[e]] == 0) {
                gone[e] = 1
                changed = 1
            }
    } while (changed)
    for (e = 1; e <= edges; e++)
        if (!gone[e]) printf "%s: includes %s, which includes it in turn\n", source[e], sink[e]
}
