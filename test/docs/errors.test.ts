import { STATUS_CODES } from 'node:http';
import { test } from 'tap';
import { ERRORS, type ErrorType } from '../../actors/index.js';
import { checkWrittenPage } from './written-page.js';

/** Whether the same request may succeed later, by status. A status without an entry means no. */
const RETRY: Readonly<Record<number, string>> = {
  408: 'the work goes on: read the operation, or retry under the same `Idempotency-Key`',
  429: 'after `Retry-After`',
  500: 'under the same `Idempotency-Key`',
  503: 'after `Retry-After`, under the same `Idempotency-Key`',
};

const RETRY_BY_TYPE: Partial<Record<ErrorType, string>> = {
  idempotencyInProgress: 'yes: it gets the first reply',
  conflict: 'after reading again',
  loanLocked: 'after `Retry-After`: the operation of `data.lockedByOperationId` is storing the loan',
  accountLocked: 'later: the login is locked after failed attempts',
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

All refusals have the same form. A request that is refused has changed nothing.

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

\`errors\` lists all faults of a request at once; it is empty if no single value is at fault. Some refusals have more properties, such as
\`permission\` with \`permissionDenied\`.

| Status | Used when |
|---|---|
| 400 | the request is wrong by itself |
| 409 | the state does not allow the request, or the object exists already |
| 422 | the request is well formed, but stored configuration or amounts refuse it |

\`npm run docs\` writes this page from \`actors/errors.ts\`.

| Status | errorType | Meaning | Does a retry help? |
|---|---|---|---|
${rows.join('\n')}
`,
  );
  t.end();
});
