#!/usr/bin/env bash
# The first notice, reminder, statement and campaign of a service, in ten commands. Run first-loan.sh before:
#   KEY=test_... examples/first-messages.sh
# Words and days come with a new company and a new loan type: templates in plain words, and fourteen reminders.
source "$(dirname "$0")/call.sh"

# 1, 2: Ada can be reached by e-mail, and agrees to electronic statements. Without her consent they go by letter.
call POST /people/ext-b-1/contacts '{"contactType": "email", "label": "personal", "affiliation": "self", "status": "primary", "valid": true,
  "value": "ada@example.com"}'
call PUT /people/ext-b-1/consents '[{"name": "electronicComms", "status": "consented", "source": "borrower"}]'

# 3: the notice. The change that records a payment also plans its confirmation.
call POST /people/ext-b-1/loans/ext-l-1/transactions '{"type": "oneTime", "amount": 20.00, "isExternal": true, "status": "succeeded"}'

# 4, 5: the reminder of March 10 and the statement of March 15. The clock stops at noon, when she may be written to.
CLOCK=$(call GET /test-clocks | id_of TI)
call POST "/test-clocks/$CLOCK/advance?sync=true" '{"to": "2024-03-15T17:00:00Z"}'

# 6, 7, 8: the campaign. A query finds the loans with something due, and a bulk sender writes to each borrower.
QUERY="SELECT person_id AS borrowerId, loan_id AS loanId, next_due_amount AS context_paymentAmount, \
next_due_date AS context_paymentDueDate FROM v_loans WHERE next_due_amount > 0"
SENDER=$(call POST /campaign-workers/bulk-senders '{"interactionSubject": "paymentDueDateReminder",
  "interactionChannel": "email"}' | id_of BK)
CAMPAIGN=$(call POST /campaigns '{"name": "What is due", "query": "'"$QUERY"'", "bulkSenderId": "'"$SENDER"'"}')
RUNS="/companies/$(id_of CP <<< "$CAMPAIGN")/campaigns/$(id_of BC <<< "$CAMPAIGN")/runs"
RUN=$(call POST "$RUNS" | id_of RN)
until call GET "$RUNS/$RUN" | grep -qE '"status": ?"(succeeded|partiallyFailed|failed)"'; do sleep 0.2; done

# 9, 10: what was sent to her, and the statement among her documents.
call GET "/people/ext-b-1/interactions?limit=100"
call GET /people/ext-b-1/documents
