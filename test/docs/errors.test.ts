import { STATUS_CODES } from 'node:http';
import { test } from 'tap';
import { ERRORS, type ErrorType } from '../../actors/index.js';
import { checkWrittenPage } from './written-page.js';

/** Whether the same request may succeed later, by status. Without a line here it will not. */
const RETRY: Readonly<Record<number, string>> = {
  408: 'the work goes on: ask for the operation, or retry under the same Idempotency-Key',
  423: 'after a while, see lock status',
  429: 'after `Retry-After`',
  500: 'under the same Idempotency-Key',
  503: 'after `Retry-After`, under the same Idempotency-Key',
};

const RETRY_BY_TYPE: Partial<Record<ErrorType, string>> = {
  idempotencyInProgress: 'yes: it gets the first reply',
  conflict: 'after reading again',
  loanLocked: 'it is not sent: nothing locks a ledger',
};

test('the page of errors says what the table says', (t) => {
  const rows = (Object.entries(ERRORS) as [ErrorType, { status: number; title: string }][])
    .sort(([, a], [, b]) => a.status - b.status)
    .map(
      ([name, { status, title }]) =>
        `| ${status} ${STATUS_CODES[status]} | \`${name}\` | ${title} | ${RETRY_BY_TYPE[name] ?? RETRY[status] ?? 'no'} |`,
    );
  checkWrittenPage(
    t,
    'errors.md',
    `# Errors

Every refusal has one form, whatever it is about. Nothing has changed when it is sent.

\`\`\`json
{
  "statusCode": 400,
  "status": 400,
  "errorType": "validationError",
  "message": "amount must be a number of at least 0. See \`errors\` for 1 more.",
  "title": "A value of the request is missing or wrong",
  "detail": "amount must be a number of at least 0. See \`errors\` for 1 more.",
  "type": "about:blank",
  "requestId": "c2c4f6a8-5d0e-4b8a-9a64-3f2f1f0f6f11",
  "errors": [
    { "path": "amount", "expected": "a number of at least 0", "message": "amount must be a number of at least 0" },
    { "path": "items[0].date", "expected": "a date YYYY-MM-DD that exists", "message": "items[0].date is missing" }
  ]
}
\`\`\`

\`errors\` lists all faults of a request at once; it is empty where there is nothing to point at. Some refusals carry further
properties, such as \`permission\` with \`permissionDenied\`. 400 means wrong by the request alone, 409 wrong state or duplicate,
422 well formed but refused by stored configuration or amounts.

The table is \`actors/errors.ts\`; this page is made from it.

| Status | errorType | Meaning | Does a retry help? |
|---|---|---|---|
${rows.join('\n')}
`,
  );
  t.end();
});
