#!/usr/bin/env bash
# Where a loan's money goes: an automatic debit that the bank sends back, its second presentment, what two investors get of it, and what
# the loan tape, the credit agency and the general ledger say of it. The bank is simulated, on this machine.
#   TENOR_OUTGOING_ALLOW=127.0.0.0/8 npm start      # the service may call addresses of this machine
#   KEY=test_... examples/first-loan.sh             # makes the test clock
#   KEY=test_... examples/money.sh                  # it moves the clock to August 1; only card.sh comes behind it
source "$(dirname "$0")/call.sh"
TENOR=(node "$(dirname "$0")/../dist/tenor.js")

COMPANY=$(call GET /companies | id_of CP)
CLOCK=$(call GET /test-clocks | id_of TI)
now() { call POST "/test-clocks/$CLOCK/advance?sync=true" '{"to": "'"$1"'"}' > /dev/null; }
# Waits until a reply has what a pattern says: runners look for files every few seconds.
until_has() {
  local _
  for _ in $(seq 300); do call GET "$1" | grep -qE "$2" && return; sleep 0.2; done
  echo "$1 never had $2" >&2
  exit 1
}
now 2024-06-24T12:00:00Z

# The bank: a folder that it serves by SFTP. A file that the service puts into `out` is read on the day that is played.
BANK=$(mktemp -d)
export BANK_PASSWORD=open-sesame
coproc SERVER { exec "${TENOR[@]}" bank --folder "$BANK" --sftp 0; }
trap 'kill "$SERVER_PID"; rm -r "$BANK"' EXIT
read -r -u "${SERVER[0]}" LINE
PORT=$(sed -E 's/.*127\.0\.0\.1:([0-9]+).*/\1/' <<< "$LINE")
mkdir "$BANK/tapes"

call POST /payment-processors '{"paymentTypes": ["ach"], "processorType": "achDirectUS", "processorName": "First Bank of Albany",
  "status": "active", "isDefault": true, "timezone": "America/New_York", "achCutoff": "16:00:00Z", "achSECCode": "WEB",
  "achFileHeaderImmediateDestination": "021000021", "achFileHeaderImmediateDestinationName": "FIRST BANK OF ALBANY",
  "achFileHeaderImmediateOrigin": "1234567890", "achFileHeaderImmediateOriginName": "FIRST LENDER",
  "achBatchHeaderCompanyName": "FIRST LENDER", "achBatchHeaderCompanyId": "1234567890", "achBatchHeaderOriginatingDFIId": "02100002",
  "sftpHostname": "127.0.0.1:'"$PORT"'", "sftpUsername": "lender", "sftpPassword": "'"$BANK_PASSWORD"'",
  "sftpCdDirOutbox": "/out", "sftpCdDirInbox": "/in",
  "sftpAchConfirmationFileNameRegex": "^CONF_.*\\.txt$", "sftpAchReturnFileNameRegex": "^RET_.*\\.ach$"}'

# Two investors, and a product whose loans are reported to a credit agency.
for NAME in Alpha Beta; do
  INVESTOR=${NAME,,}
  call POST "/companies/$COMPANY/investors" '{"legalName": "'"$NAME"' Fund", "externalId": "'"$INVESTOR"'"}'
  call POST "/companies/$COMPANY/investors/ext-$INVESTOR/settlement-instruments" '{"instrumentType": "bankAccount",
    "accountType": "checking", "accountNumber": "123456789", "routingNumber": "021000021", "accountHolderType": "business",
    "accountHolderName": "'"$NAME"' Fund", "isExternal": true}'
done
AGENCY=$(call POST "/companies/$COMPANY/credit-agencies" '{"agencyName": "equifax", "country": "US", "dataFormat": "metro2",
  "uploadFrequency": "monthly"}' | id_of CA)
LOAN_TYPE=$(call POST "/companies/$COMPANY/loan-types" '{"name": "Sold on", "type": "installment",
  "assetType": "personalClosedEndUnsecured", "assetDisplayName": "Personal loan",
  "autopay": {"retry": {"maxAttempts": 2, "daysBetween": 1}},
  "creditAgencyIds": ["'"$AGENCY"'"], "isCreditReportingAllowed": true, "metro2PortfolioType": "I", "metro2AccountType": "01",
  "metro2ReporterName": "First Lender", "metro2ReporterAddress": "1 Main Street, Austin TX 78701",
  "metro2ReporterTelephoneNumber": "+1 512 555 0100", "metro2EquifaxProgramIdentifier": "EQ12345678",
  "metro2EquifaxIdentificationNumber": "90210", "metro2SoftwareVendorName": "Tenor", "metro2SoftwareVersionNumber": "1.0"}' | id_of LT)

# A borrower with a verified account, and a loan that the investors own by 60 and 40 percent.
PERSON=/people/ext-b-money
LOAN=$PERSON/loans/ext-l-money
call POST /people '{"externalId": "b-money", "name": {"firstName": "Cara", "lastName": "Lindt"}, "dateOfBirth": "1985-04-12",
  "identity": {"identityType": "SSN", "value": "900-11-2244"}}'
call POST $PERSON/contacts '{"contactType": "address", "label": "home", "status": "primary",
  "address": {"addressLine1": "1 Main Street", "city": "Austin", "state": "TX", "postalCode": "78701"}}'
ACCOUNT=$(call POST "$PERSON/payment-instruments?force=true" '{"instrumentType": "bankAccount", "accountNumber": "7700112233",
  "routingNumber": "076401251", "accountType": "checking", "accountHolderType": "personal", "accountHolderName": "Cara Lindt",
  "verified": true}' | id_of PT)
call POST $PERSON/loans '{"type": "installment", "loanTypeId": "'"$LOAN_TYPE"'", "externalId": "l-money", "status": "originated",
  "servicedBy": "creditor", "newDrawsAllowed": false, "atOrigination": {
    "amountFinanced": 1200.00, "duration": 12, "paymentFrequency": "monthly", "specificDays": [15],
    "interestRates": [{"interestType": "absolute", "days": null, "rate": 0.18}],
    "investors": [{"investorId": "ext-alpha", "share": 0.6}, {"investorId": "ext-beta", "share": 0.4}],
    "personAddress": {"addressLine1": "1 Main Street", "city": "Austin", "state": "TX", "postalCode": "78701", "country": "US"},
    "originationLicense": "stateLicense", "originatingCreditorName": "First Lender"}}'
call POST $LOAN/activate '{}'
AGREEMENT=$(call POST $PERSON/documents '{"type": "other"}' | id_of DD)
curl -sS --fail-with-body "$TENOR_URL/api$PERSON/documents/$AGREEMENT/content" -H "Authorization: Bearer $KEY" \
  -H 'Content-Type: text/plain' -d 'I agree that payments are taken from my account.'
call POST $LOAN/autopay '{"paymentInstrumentId": "'"$ACCOUNT"'", "agreementDocumentId": "'"$AGREEMENT"'"}'

# July 15: the debit is in the file of the cut-off at 16:00 in New York. The bank settles it on July 16 and sends it back on July 18.
now 2024-07-15T21:00:00Z
until_has "/ach-files?direction=outgoing" '"total": ?1\b.*"status": ?"uploaded"'
for DAY in 15 16 17 18; do "${TENOR[@]}" bank --folder "$BANK" --day "2024-07-$DAY" --share R01=1; done
now 2024-07-18T18:00:00Z
until_has "$LOAN/transactions" '"achReturnCode": ?"R01"'

# July 19: the same amount again, RETRY PYMT. This time it stays, and has succeeded when the days in which it could come back are over.
now 2024-07-19T21:00:00Z
until_has "/ach-files?direction=outgoing" '"total": ?2\b.*"status": ?"uploaded"'
for DAY in 19 22; do "${TENOR[@]}" bank --folder "$BANK" --day "2024-07-$DAY"; done
now 2024-07-29T18:00:00Z
until_has "$LOAN/transactions" '"status": ?"succeeded"'
call GET $LOAN/transactions
grep -ahE '^(5|6)' "$BANK"/taken/*.ach

# Settlement: 60 and 40 percent of what was paid. The remittance file has a line a loan.
SETTLEMENTS=/companies/$COMPANY/settlements
for INVESTOR in alpha beta; do
  SETTLEMENT=$(call POST "$SETTLEMENTS" '{"investorId": "ext-'"$INVESTOR"'"}' | id_of SE)
  until_has "$SETTLEMENTS/$SETTLEMENT" '"fileName": ?"remittance'
  call GET "$SETTLEMENTS/$SETTLEMENT"
  call GET "$SETTLEMENTS/$SETTLEMENT/file"
done

# The tape of one investor, by SFTP and here.
TAPE_TYPE=$(call POST "/companies/$COMPANY/loan-tape-types" '{"tapeName": "Alpha loans", "tapeType": "loans",
  "compressionType": "noCompression", "fields": ["reportDate", "loanExternalId", "investorShare", "status", "currentPrincipalAmount",
  "lastPaymentDate"]}' | id_of TY)
TAPE=$(call POST "/companies/$COMPANY/loan-tapes" '{"loanTapeTypeId": "'"$TAPE_TYPE"'", "investorId": "ext-alpha",
  "sftpHostname": "127.0.0.1:'"$PORT"'", "sftpUsername": "lender", "sftpPassword": "'"$BANK_PASSWORD"'", "sftpCdDir": "/tapes"}' | id_of TA)
call POST "/companies/$COMPANY/loan-tapes/$TAPE/files" '{}'
until_has "/companies/$COMPANY/loan-tapes/$TAPE/files" '"status": ?"succeeded"'
cat "$BANK"/tapes/*.csv

# August 1: the month's file for the credit agency, a line an account.
now 2024-08-01T17:00:00Z
FILES=/companies/$COMPANY/credit-reporting/files
until_has "$FILES" '"status": ?"succeeded", ?"activityDate": ?"2024-07-31"'
FILE=$(call GET "$FILES" | id_of CF)
call GET "$FILES/$FILE/content"

# The general ledger of the day of the first return: the debit leaves the books, with the day on which it had come beside.
TENOR_KEY=$KEY "${TENOR[@]}" ledger --url "$TENOR_URL" --day 2024-07-18
