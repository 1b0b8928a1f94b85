#!/usr/bin/env bash
# Payments by card: a card that its processor verifies, a payment, a refund, and what the processor pays for the day. The processor is
# simulated, on this machine.
#   TENOR_OUTGOING_ALLOW=127.0.0.0/8 npm start      # the service may call addresses of this machine
#   KEY=test_... examples/first-loan.sh             # makes the product and the test clock
#   KEY=test_... examples/card.sh                   # behind money.sh, if both run: it moves the clock to August 7
source "$(dirname "$0")/call.sh"
TENOR=(node "$(dirname "$0")/../dist/tenor.js")

CLOCK=$(call GET /test-clocks | id_of TI)
now() { call POST "/test-clocks/$CLOCK/advance?sync=true" '{"to": "'"$1"'"}' > /dev/null; }
# Waits until a reply has what a pattern says: the service calls the processor every second.
until_has() {
  local _
  for _ in $(seq 300); do call GET "$1" | grep -qE "$2" && return; sleep 0.2; done
  echo "$1 never had $2" >&2
  exit 1
}
now 2024-08-05T12:00:00Z

# The processor. Each payment costs 35 cents.
FOLDER=$(mktemp -d)
export CARDS_API_KEY=key-of-the-processor
coproc SERVER { exec "${TENOR[@]}" bank --folder "$FOLDER" --cards 0 --card-fee 35; }
trap 'kill "$SERVER_PID"; rm -r "$FOLDER"' EXIT
read -r -u "${SERVER[0]}" LINE
PROCESSOR=$(call POST /payment-processors '{"paymentTypes": ["debitCard", "creditCard"], "processorType": "cardHTTP",
  "processorName": "Cards of Albany", "status": "active", "isDefault": true, "timezone": "America/New_York",
  "cardApiUrl": "'"${LINE##* }"'", "cardApiKey": "'"$CARDS_API_KEY"'", "cardWebhookSecret": "secret-of-callbacks"}' | id_of PX)
call POST "/payment-processors/$PROCESSOR/test-connection"

# A borrower with a loan of the first product and a card. With `sync` the reply waits until the processor has verified the card.
COMPANY=$(call GET /companies | id_of CP)
LOAN_TYPE=$(call POST "/companies/$COMPANY/loan-types" '{"name": "By card", "type": "installment"}' | id_of LT)
PERSON=/people/ext-b-card
LOAN=$PERSON/loans/ext-l-card
call POST /people '{"externalId": "b-card", "name": {"firstName": "Dan", "lastName": "Okafor"}, "dateOfBirth": "1990-02-11",
  "identity": {"identityType": "SSN", "value": "900-11-2255"}}'
call POST $PERSON/loans '{"type": "installment", "loanTypeId": "'"$LOAN_TYPE"'", "externalId": "l-card", "status": "originated",
  "servicedBy": "creditor", "newDrawsAllowed": false, "atOrigination": {
    "amountFinanced": 1200.00, "duration": 12, "paymentFrequency": "monthly", "specificDays": [15],
    "interestRates": [{"interestType": "absolute", "days": null, "rate": 0.18}],
    "personAddress": {"addressLine1": "1 Main Street", "city": "Austin", "state": "TX", "postalCode": "78701", "country": "US"},
    "originationLicense": "stateLicense", "originatingCreditorName": "First Lender"}}'
call POST $LOAN/activate '{}'
CARD=$(call POST "$PERSON/payment-instruments?sync=true" '{"instrumentType": "card", "cardType": "debit",
  "cardNumber": "4111111111111111", "cvv": "123", "expirationMonth": 12, "expirationYear": 2029,
  "accountHolderName": "Dan Okafor"}' | id_of PT)
call GET "$PERSON/payment-instruments/$CARD"

# A payment is authorized and captured; a second one is refunded.
pay() { call POST $LOAN/transactions '{"type": "oneTime", "amount": '"$1"', "paymentInstrumentId": "'"$CARD"'"}' | id_of TX; }
FIRST=$(pay 109.76)
SECOND=$(pay 20.00)
for ID in "$FIRST" "$SECOND"; do until_has "$LOAN/transactions/$ID" '"status": ?"succeeded"'; done
call POST "$LOAN/transactions/$SECOND/reverse" '{}'
until_has "$LOAN/transactions/$SECOND" '"reversingTransactionStatus": ?"succeeded"'
call GET "$LOAN/transactions"

# Two days later the processor has the results of August 5: two payments and a refund, less its fees.
now 2024-08-07T12:00:00Z
THIRD=$(pay 5.00)
until_has "$LOAN/transactions/$THIRD" '"status": ?"succeeded"'
RECONCILIATIONS="/reconciliations?paymentProcessorId=$PROCESSOR&fromDate=2024-08-05&toDate=2024-08-05"
now 2024-08-07T13:00:00Z
until_has "$RECONCILIATIONS" '"fundedAmount": ?109\.06'
call GET "$RECONCILIATIONS"
