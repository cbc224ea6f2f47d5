#!/usr/bin/env bash
# Talkdrum in one go: a daemon with a sandbox around it, a customer with money, and a send to 3,000 recipients.
# `make run` builds and calls it; with talkdrumd and talkdrum in the path it runs by itself. Nothing leaves the
# machine: the sandbox is an SMSC on loopback that speaks SMPP as a carrier's would.
#
#   TALKDRUM_DATA_DIR   where everything is kept [default: ./data]; run again, it goes on with what is there
#   TALKDRUM_LISTEN     address and port of the API [default: 127.0.0.1:8080]
#
# The daemon serves until Ctrl-C, which stops everything that was started here.
set -euo pipefail

examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=${examples#"$PWD"/} # as short as it can be shown
data=${TALKDRUM_DATA_DIR:-./data}
listen=${TALKDRUM_LISTEN:-127.0.0.1:8080}
tour=$data/tour # sign-ins, the daemon's log and the files written on the way
log=$tour/daemon.log

# The tour is about the database in $data and the daemon started here, whatever else is set up on this machine.
unset TALKDRUM_CONFIG TALKDRUM_DATABASE_URL TALKDRUM_PROFILE TALKDRUM_TOKEN TALKDRUM_URL
export TALKDRUM_DATA_DIR=$data TALKDRUM_LISTEN=$listen

if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi

title() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

fail() {
    printf 'error: %s\n' "$1" >&2
    [ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2
    exit 1
}

# as WHO COMMAND...: shows the command with the name of who runs it, then runs it.
as() {
    local who=$1 word words=
    shift
    for word in "$@"; do
        case $word in
        *[!A-Za-z0-9_./:=@%+-]*) words+=" '$word'" ;;
        *) words+=" $word" ;;
        esac
    done
    printf '\n%s%s$%s%s\n' "$bold" "$who" "$words" "$plain"
    TALKDRUM_PROFILE=$who "$@"
}

random_password() { head -c 15 /dev/urandom | base64 | tr '+/' '-_'; }

# ---- Start and stop -------------------------------------------------------------------------------------------

daemon=

stop() {
    trap '' INT TERM
    if [ -n "$daemon" ] && kill -0 "$daemon" 2>/dev/null; then
        printf '\nStopping the daemon: what is on its way to the carrier is answered first.\n'
        kill -TERM "$daemon" 2>/dev/null || true
        wait "$daemon" 2>/dev/null || true
        printf 'Stopped. Everything is in %s; run it again and it goes on.\n' "$data"
    fi
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

start_daemon() {
    : >"$log"
    talkdrumd serve --sandbox </dev/null >>"$log" 2>&1 &
    daemon=$!
    local address=
    while [ -z "$address" ]; do
        if ! kill -0 "$daemon" 2>/dev/null; then
            tail -n 5 "$log" >&2
            fail "the daemon did not start" "another port: TALKDRUM_LISTEN=127.0.0.1:8090 make run"
        fi
        sleep 0.1
        address=$(sed -n 's/.* serving .*address=\([^ ]*\).*/\1/p' "$log")
    done
    url=http://${address/#0.0.0.0:/127.0.0.1:}
    export TALKDRUM_URL=$url
}

# ---- The scene ------------------------------------------------------------------------------------------------

# The first time: two people who can sign in, a price, and money.
set_the_scene() {
    title "An administrator and a customer, with passwords that are shown this once"
    customer_password=$(random_password)
    talkdrum login --profile admin --username admin --password-stdin --quiet <<<"$admin_password"
    talkdrum --profile admin users create --username customer --email customer@example.com --name "Ada's Shop" \
        --password-stdin --quiet <<<"$customer_password"
    talkdrum login --profile customer --username customer --password-stdin --quiet <<<"$customer_password"
    printf '  admin     %s\n  customer  %s\n' "$admin_password" "$customer_password"

    title "A price for a page, and 50,000 Naira for the customer"
    as admin talkdrum prices set --currency naira 4.5
    as admin talkdrum users credit customer 50000 --currency naira --ref tour
    touch "$tour/ready"
}

send() {
    title "A send to a list as it comes out of life: the quote is the price, the key makes it repeatable"
    as customer talkdrum send --to "$examples/recipients/dirty.csv" -m "Talkdrum says hello" --pay naira --yes \
        --key tour --wait --receipts 60 --rejects "$tour/rejects.csv" --force
}

report() {
    local campaign message
    campaign=$(talkdrum --profile customer campaigns list --per-page 1000 -o csv | tail -n 1 | cut -d, -f1)

    title "Who did not get it, and why"
    as customer talkdrum messages list "$campaign" --status rejected --per-page 3
    as customer talkdrum campaigns export "$campaign" --file "$tour/report.csv" --force

    title "What one message cost, and why"
    message=$(talkdrum --profile customer messages list "$campaign" --status delivered --per-page 1 -o csv | tail -n 1 | cut -d, -f1)
    as customer talkdrum why "$message"

    title "Where the money went: every movement is an entry, and all entries are added up again"
    as customer talkdrum wallet balance
    as customer talkdrum wallet statement --per-page 5
    as operator talkdrumd check
}

farewell() {
    title "Talkdrum is serving at $url, with the sandbox, until Ctrl-C"
    cat <<END
  the pages           $url (sign in as customer; as admin: $url/login)
  the API             $url/api/docs
  metrics             $url/metrics
  the daemon's log    $log
  reports             $(cd "$tour" && ls -- *.csv 2>/dev/null | sed "s|^|$tour/|" | paste -sd ' ')

  At another terminal:
    export PATH="$(dirname "$(command -v talkdrum)"):\$PATH"
    talkdrum login --url $url --username customer
    talkdrum send --to 08031234567 -m 'Hello' --pay naira
END
}

# ---- The tour -------------------------------------------------------------------------------------------------

command -v talkdrumd >/dev/null && command -v talkdrum >/dev/null ||
    fail "talkdrumd and talkdrum are not in the path" "run it by: make run"
if [ -e "$data/talkdrum.db" ] && [ ! -d "$tour" ]; then
    # With the sandbox, what is scheduled in there would be spent on a stand-in.
    fail "$data holds a database that the tour did not make" "another place: TALKDRUM_DATA_DIR=./tour-data make run"
fi
(umask 077 && mkdir -p "$tour")
XDG_CONFIG_HOME=$(cd "$tour" && pwd)
export XDG_CONFIG_HOME

title "Talkdrum on SQLite in $data"
if [ ! -e "$data/talkdrum.db" ]; then
    admin_password=$(random_password)
    talkdrumd create-admin --username admin --email admin@example.com --password-stdin \
        <<<"$admin_password" >"$log" 2>&1 || { cat "$log" >&2 && fail "the administrator was not made"; }
    start_daemon
    set_the_scene
    send
    report
elif [ ! -e "$tour/ready" ]; then
    start_daemon
    echo "An earlier run was stopped before it was set up; to start again remove $data."
elif start_daemon && talkdrum --profile customer whoami --quiet >/dev/null 2>&1; then
    echo "It is there already: users, passwords and money are those of the first run."
    echo "The same send under the same key follows: it finds its campaign, and nothing is sent or charged twice."
    send
    report
else
    echo "It is there already, and the passwords of the first run hold. Its sign-ins have ended, or are for another address."
fi
farewell
trap 'exit 0' INT
wait "$daemon" || fail "the daemon ended by itself: see $log"
