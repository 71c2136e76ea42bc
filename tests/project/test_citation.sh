#!/bin/sh
# CITATION.cff has what version 1.2.0 of its format requires, and its version and date are those of meson.build and
# of the newest entry of CHANGELOG.md. usage: test_citation.sh SOURCE_ROOT
set -u
root=$1
. "$root/tests/project/tap.sh"

# citation_faults FILE: one line per fault
citation_faults() {
    awk '
    /\t/ { print FNR ": a tab; YAML takes spaces" }
    /^[a-z-]+:/ {
        key = $0
        sub(/:.*/, "", key)
        if (key in value) print FNR ": " key " stands twice"
        value[key] = $0
        sub(/^[a-z-]+:[ ]*/, "", value[key])
        gsub(/^"|"$/, "", value[key])
        within = key
        next
    }
    /^  - / && within == "authors" { authors++; named[authors] = 0 }
    within == "authors" && /(name|family-names|given-names|alias): *"?[^ "]/ { named[authors] = 1 }
    END {
        n = split("cff-version message title authors version date-released license type", required, " ")
        for (i = 1; i <= n; i++) if (!(required[i] in value)) print "no " required[i]
        if (value["cff-version"] != "1.2.0") print "cff-version is " value["cff-version"] ", not 1.2.0"
        if (value["message"] == "" || value["title"] == "") print "message and title must say something"
        if (!authors) print "no author"
        for (i = 1; i <= authors; i++) if (!named[i]) print "author " i " has no name"
        if (value["type"] != "software" && value["type"] != "dataset") print "type is neither software nor dataset"
        if (value["date-released"] !~ /^[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]$/) print "date-released is no date"
        if (value["license"] != "GPL-3.0-or-later") print "license is not GPL-3.0-or-later"
        known = " abstract authors cff-version commit contact date-released doi identifiers keywords license " \
            "license-url message preferred-citation references repository repository-artifact repository-code title " \
            "type url version "
        for (key in value) if (index(known, " " key " ") == 0) print key ": no key of the format"
    }' "$1"
}
field() { sed -n "s/^$1: *\"\{0,1\}\([^\"]*\)\"\{0,1\} *\$/\1/p" "$root/CITATION.cff"; }

plan 9

is "$(citation_faults "$root/CITATION.cff")" "" "CITATION.cff is valid"

bad=$TAP_SCRATCH/bad.cff
grep -v '^message' "$root/CITATION.cff" >"$bad"
is "$(citation_faults "$bad" | head -n 1)" "no message" "a missing message would be found"
sed 's/^  - name: .*/  - affiliation: "none"/' "$root/CITATION.cff" >"$bad"
is "$(citation_faults "$bad")" "author 1 has no name" "an author without a name would be found"
sed 's/^cff-version.*/cff-version: 1.1.0/' "$root/CITATION.cff" >"$bad"
has "$(citation_faults "$bad")" "1.1.0" "another version of the format would be found"

version=$(sed -n "s/^  version: '\(.*\)',.*/\1/p" "$root/meson.build" | head -n 1)
newest=$(sed -n 's/^## \[\([0-9][^]]*\)\] - \(.*\)$/\1 \2/p' "$root/CHANGELOG.md" | head -n 1)
ok "meson.build names its version" test -n "$version"
is "$(field version)" "$version" "CITATION.cff has the version of meson.build"
is "${newest% *}" "$version" "the newest entry of CHANGELOG.md has the version of meson.build"
is "$(field date-released)" "${newest#* }" "CITATION.cff has the date of that entry"
ok "LICENSE is the GPL, version 3" grep -q 'Version 3, 29 June 2007' "$root/LICENSE"

finish
