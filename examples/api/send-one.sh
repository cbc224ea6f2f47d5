#!/bin/sh
# One message to one number in one call, as programs send codes and alerts, with nothing but curl.
#
#   TALKDRUM_TOKEN=td_... sh send-one.sh 08031234567 'Your code is 123456'
#
# With the same KEY it is sent and charged once, however often this runs: the answer is the message that was sent.
# MAX is the most it may cost; a message that costs more is refused.
set -eu

URL=${TALKDRUM_URL:-http://127.0.0.1:8080}
KEY=${KEY:-$(date +%s)-$$}
TO=${1:?usage: send-one.sh NUMBER MESSAGE}
MESSAGE=${2:?usage: send-one.sh NUMBER MESSAGE}

exec curl -sS --fail-with-body --retry 3 --retry-connrefused \
    -H "Authorization: Bearer ${TALKDRUM_TOKEN:?set it to a token}" -H "Idempotency-Key: $KEY" \
    --data-urlencode "contacts=$TO" --data-urlencode "message=$MESSAGE" \
    --data-urlencode senderid=WEBSMS --data-urlencode "payment_method=${PAY:-espees}" \
    ${MAX:+--data-urlencode "max_charge=$MAX"} \
    "$URL/api/messages"
