#!/usr/bin/env bash
# A loan from its type to its first payment: KEY=test_... examples/first-loan.sh
source "$(dirname "$0")/call.sh"

COMPANY=$(call GET /companies | id_of CP)

# A test clock stops the time of the test mode, and moves it on command.
CLOCK=$(call POST /test-clocks '{"startDate": "2024-01-20"}' | id_of TI)

LOAN_TYPE=$(call POST "/companies/$COMPANY/loan-types" '{"name": "Personal", "type": "installment",
  "assetType": "personalClosedEndUnsecured", "assetDisplayName": "Personal loan"}' | id_of LT)

call POST /people '{"externalId": "b-1", "name": {"firstName": "Ada", "lastName": "Verde"}, "dateOfBirth": "1980-02-03"}'

# 1,200.00 at 18 % a year over twelve months.
call POST /people/ext-b-1/loans '{"type": "installment", "loanTypeId": "'"$LOAN_TYPE"'", "externalId": "l-1", "status": "originated",
  "servicedBy": "creditor", "newDrawsAllowed": false, "atOrigination": {
    "amountFinanced": 1200.00, "duration": 12, "paymentFrequency": "monthly", "specificDays": [15],
    "interestRates": [{"interestType": "absolute", "days": null, "rate": 0.18}],
    "personAddress": {"addressLine1": "1 Main Street", "city": "Austin", "state": "TX", "postalCode": "78701", "country": "US"},
    "originationLicense": "stateLicense", "originatingCreditorName": "First Lender"}}'
call POST /people/ext-b-1/loans/ext-l-1/activate '{}'            # twelve payments of 109.76

# Ten days after the first due date a check comes.
INSTRUMENT=$(call POST /people/ext-b-1/payment-instruments '{"instrumentType": "check", "isExternal": true, "status": "active",
  "payerName": "Ada Verde", "checkNumber": "101"}' | id_of PT)
call POST "/test-clocks/$CLOCK/advance?sync=true" '{"to": "2024-02-25"}'
call POST /people/ext-b-1/loans/ext-l-1/transactions '{"type": "oneTime", "amount": 109.76, "isExternal": true,
  "status": "succeeded", "paymentInstrumentId": "'"$INSTRUMENT"'"}'

call GET /people/ext-b-1/loans/ext-l-1/balances
call GET /people/ext-b-1/loans/ext-l-1/obligations
call GET "/loans/ext-l-1/events?order=asc"                       # what happened, in order
