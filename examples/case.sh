#!/usr/bin/env bash
# An agent signs in and works on a case. Run first-loan.sh before: KEY=test_... examples/case.sh
source "$(dirname "$0")/call.sh"

COMPANY=$(call GET /companies | id_of CP)
ROLE=$(call POST /roles '{"alias": "Agents", "permissions": ["case:update", "case:read", "case:list", "note:create"]}' | id_of RL)
call POST /users '{"type": "agent", "userName": "ida", "roleIds": ["'"$ROLE"'"], "password": "correct horse battery",
  "auths": [{"authType": "basic", "authValueType": "username", "value": "ida"}]}'

# She may do what her roles allow, in the test mode that she signs in to.
call POST /people/ext-b-1/cases '{"caseType": "bankruptcy", "externalId": "k-1", "courtCaseChapter": "chapter13"}'
TOKEN=$(KEY= call POST "/auth/token?companyId=$COMPANY&mode=test" '{"username": "ida", "password": "correct horse battery"}' |
  grep -oE '"token": ?"[^"]+"' | cut -d'"' -f4)
KEY=$TOKEN
call POST /people/ext-b-1/cases/ext-k-1/notes '{"content": "Her lawyer called."}'
call PUT /people/ext-b-1/cases/ext-k-1 '{"status": "processing"}'
call GET /people/ext-b-1/cases/ext-k-1/events
