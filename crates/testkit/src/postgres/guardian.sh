# Ends a throw-away cluster and removes its folder as soon as none of the processes that use it lives.
# The tests start it and do not wait for it, so it also cleans up after those that were killed.
#
# usage: sh -c THIS guardian FOLDER PG_CTL
folder=$1
pg_ctl=$2

# A process that ended but was not yet fetched by its parent counts as dead.
alive() {
    if [ -d /proc/self ]; then
        grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status" 2>/dev/null
    else
        ps -p "$1" >/dev/null 2>&1
    fi
}

# Every user is an empty file named by its process id.
used() {
    for user in "$1"/*; do
        [ -e "$user" ] || continue
        if alive "${user##*/}"; then return 0; fi
        rm -f "$user"
    done
    return 1
}

while [ -d "$folder" ]; do
    if ! used "$folder/users"; then
        # Without this folder nobody can join, so those who joined until now are all there are.
        mv "$folder/users" "$folder/leaving" 2>/dev/null
        if used "$folder/leaving"; then
            mv "$folder/leaving" "$folder/users"
        else
            "$pg_ctl" stop -D "$folder/data" -m immediate >/dev/null 2>&1
            rm -rf "$folder"
        fi
    fi
    sleep 0.5
done
