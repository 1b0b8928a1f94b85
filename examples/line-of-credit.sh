#!/usr/bin/env bash
# A line of credit with a purchase, until its first payments are due. Run first-loan.sh before:
#   KEY=test_... examples/line-of-credit.sh
source "$(dirname "$0")/call.sh"

COMPANY=$(call GET /companies | id_of CP)
CLOCK=$(call GET /test-clocks | id_of TI)
LOAN_TYPE=$(call POST "/companies/$COMPANY/loan-types" '{"name": "Card", "type": "lineOfCredit"}' | id_of LT)

call POST /people/ext-b-1/loans '{"type": "lineOfCredit", "loanTypeId": "'"$LOAN_TYPE"'", "externalId": "c-1", "status": "originated",
  "servicedBy": "creditor", "newDrawsAllowed": true, "atOrigination": {
    "creditLimitAmount": 5000.00, "paymentFrequency": "monthly", "specificDays": [15],
    "interestRates": [{"interestType": "absolute", "days": null, "rate": 0.1999}],
    "minPaymentCalculation": {"percentageOfPrincipal": 0.05, "minAmount": 25.00},
    "personAddress": {"addressLine1": "1 Main Street", "city": "Austin", "state": "TX", "postalCode": "78701", "country": "US"},
    "originationLicense": "stateLicense", "originatingCreditorName": "First Lender"}}'
call POST /people/ext-b-1/loans/ext-c-1/activate '{}'

# A draw takes purchases; each statement fixes the minimum payment.
call POST /people/ext-b-1/loans/ext-c-1/draws '{"status": "originated", "externalId": "d-1"}'
call POST /people/ext-b-1/loans/ext-c-1/draws/ext-d-1/purchases '{"amount": 2500.00, "purchaseDetails": {"merchantName": "Corner Shop"}}'
call POST "/test-clocks/$CLOCK/advance?sync=true" '{"to": "2024-04-20"}'
call GET /people/ext-b-1/loans/ext-c-1/obligations
