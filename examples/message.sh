#!/usr/bin/env bash
# A text of your own, a message that the compliance guard screens, and its answer about a call. Run first-loan.sh before:
#   KEY=test_... examples/message.sh
source "$(dirname "$0")/call.sh"

call POST /people/ext-b-1/contacts '{"contactType": "email", "label": "personal", "affiliation": "self", "status": "primary", "valid": true,
  "value": "ada@example.com"}'

# A new company has templates in plain words. A further version of one, once active, replaces its text.
DESCRIPTOR=$(call GET "/communicator/templatedescriptors?subject=paymentConfirmation&channel=email" | id_of TD)
VERSION=$(call POST "/communicator/templatedescriptors/$DESCRIPTOR/versions" '{
  "subjectLineTemplate": "Thank you, {{ person.name.firstName }}",
  "contentHtmlTemplate": "<p>We got {{ paymentAmount | money }}.</p>"}' | id_of TV)
call POST "/communicator/templatedescriptors/$DESCRIPTOR/versions/$VERSION/activate"

# Screened, rendered, recorded, delivered. A refusal is 422 with the rule and, where the time is the reason, the first allowed moment.
call POST /communicator/send '{"subject": "paymentConfirmation", "channel": "email", "personId": "ext-b-1",
  "context": {"paymentAmount": 109.76}}'
call GET /people/ext-b-1/interactions

# May she be reached about the debt now, and if not, why, and when? It depends on where she lives, and on her cases.
call POST /people/ext-b-1/contacts '{"contactType": "address", "label": "home", "status": "primary", "address":
  {"addressLine1": "1 Main Street", "city": "Austin", "state": "TX", "postalCode": "78701", "country": "US"}}'
call POST /people/ext-b-1/can-interact '{"channel": "email", "theme": "opsCollDebt"}'
