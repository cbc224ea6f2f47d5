#!/bin/sh
# Quote a campaign and send it, with nothing but curl.
#
#   TALKDRUM_TOKEN=td_... sh send.sh recipients.csv 'The text'
#
# The token is a session token or an API key with the scope `send` (talkdrum keys create --name NAME --scope send).
# Running it again with the same KEY finds the same quote and the same campaign: it never sends or charges twice.
set -eu

URL=${TALKDRUM_URL:-http://127.0.0.1:8080}
KEY=${KEY:-$(date +%s)-$$}
FILE=${1:?usage: send.sh FILE MESSAGE}
MESSAGE=${2:?usage: send.sh FILE MESSAGE}

# Prints the answer; a refusal is a problem document with `detail`, and ends the script.
post() {
    path=$1 key=$2
    shift 2
    status=$(curl -sS -o "$answer" -w '%{http_code}' \
        -H "Authorization: Bearer ${TALKDRUM_TOKEN:?set it to a token}" -H "Idempotency-Key: $key" \
        "$@" "$URL$path")
    if [ "$status" -ge 300 ]; then
        echo "error: $status $(cat "$answer")" >&2
        exit 1
    fi
    cat "$answer"
}

answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# 1. The quote: what it would be and cost. Nothing is charged.
post /api/send-text-sms "$KEY/quote" \
    --form-string senderid=WEBSMS --form-string "payment_method=${PAY:-espees}" \
    --form-string "message=$MESSAGE" -F "file=@$FILE" > "$answer.quote"
cat "$answer.quote"
echo
quote_id=$(sed -n 's/.*"quote_id": *\([0-9][0-9]*\).*/\1/p' "$answer.quote")
rm -f "$answer.quote"

# 2. The confirm: exactly that quote, once.
post /api/confirm-send-text-sms "$KEY/confirm" --form-string "quote_id=$quote_id"
echo
