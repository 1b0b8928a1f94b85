# Functions for the other scripts of this folder: `call METHOD PATH [BODY]` sends a request and prints the reply; `id_of PREFIX` reads an id
# from a reply. Requests carry the key in KEY, which `npm start` printed as TENOR_TEST_KEY. A refused request ends the script.
set -euo pipefail
: "${KEY:?Set KEY to the test key that npm start printed as TENOR_TEST_KEY.}"
TENOR_URL=${TENOR_URL:-http://127.0.0.1:8080}

call() {
  local reply
  reply=$(curl -sS --fail-with-body -X "$1" "$TENOR_URL/api$2" ${KEY:+-H "Authorization: Bearer $KEY"} \
    -H 'Content-Type: application/json' ${3:+-d "$3"}) || { printf '%s\n' "$reply" >&2; exit 1; }
  printf '%s\n' "$reply"
}

# The first id with the prefix in the reply on standard input, for example LT-4T7A-9QXM.
id_of() {
  grep -oE "\"$1-[A-Z0-9]+-[A-Z0-9]+\"" | head -1 | tr -d '"'
}
