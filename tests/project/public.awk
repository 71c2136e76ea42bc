# Reads public headers and prints, for each declaration of a function or object in them,
#     FILE:LINE name api|no-api documented|undocumented
# A declaration is documented when its paragraph (the lines between two blank ones) begins with a comment, or a
# comment stands on its own lines. usage: awk -f public.awk HEADER...

function reset() {
    documented = 0
    depth = 0
    fresh = 1
    text = ""
}

FNR == 1 { comment = 0; skipping = 0; reset() }

# Preprocessor lines with their continuations say nothing here.
skipping || /^[ \t]*#/ {
    skipping = /\\$/
    next
}

/^[ \t]*$/ && !comment && depth == 0 && text == "" { documented = 0; fresh = 1; next }

{
    line = $0
    # Take comments out, noting them.
    clean = ""
    while (line != "") {
        if (comment) {
            end = index(line, "*/")
            if (!end) { line = ""; break }
            line = substr(line, end + 2)
            comment = 0
        } else {
            start = index(line, "/*")
            if (!start) { clean = clean line; line = ""; break }
            clean = clean substr(line, 1, start - 1)
            line = substr(line, start + 2)
            comment = 1
            if (fresh || text != "" || clean ~ /[^ \t]/) { documented = 1; trailing = 1 }
        }
    }
    if (clean !~ /[^ \t]/) { if (documented) fresh = 0; next }
    fresh = 0
    if (text == "") first = FNR
    text = text " " clean
    opened = gsub(/{/, "{", clean)
    closed = gsub(/}/, "}", clean)
    depth += opened - closed
    if (text ~ /^ *extern "C" *{ *$/) { text = ""; depth = 0; next }
    if (text ~ /^ *} *$/) { text = ""; depth = 0; next }
    if (depth == 0 && clean ~ /[;}][ \t]*$/) {
        if (text !~ /^ *(typedef|enum|struct|union)/ || text ~ /LEM_API/) report()
        text = ""
    }
}

function report(    name) {
    name = text
    gsub(/__attribute__ *\(\([^)]*\)\)/, "", name)
    if (match(name, /lem_[A-Za-z0-9_]+[ \t]*(\(|;|\[|=)/)) {
        name = substr(name, RSTART, RLENGTH)
        sub(/[^A-Za-z0-9_].*$/, "", name)
        printf "%s:%d %s %s %s\n", FILENAME, first, name, text ~ /LEM_API/ ? "api" : "no-api",
            documented ? "documented" : "undocumented"
    }
}
