import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { must } from '../../engine/index.js';
import { RESOURCE_ROUTES } from '../../gateway/index.js';
import { checkWrittenPage } from './written-page.js';
import { missing, sharedFile } from '../shared.js';
import { type ContractRow, contractRows, shapeOf } from './contract-rows.js';

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${shapeOf(path)}`;

const FILES = ['base', 'loans', 'loan-terms', 'money', 'parties', 'people', 'cases', 'communications', 'platform', 'books'];
/** Parts of which the page has another name than the file of the contract. */
const NAMES: Readonly<Record<string, string>> = { books: 'general ledger' };

test('the tables of the contract are parsed correctly', (t) => {
  const rows = contractRows(`
| METHOD | Path | Purpose |
|---|---|---|
| GET | L/periods | List |
| POST/GET/PUT | D/rates[/{rateId}] | Rates |
| GET | D/fees, D/promo-programs | Terms |
| POST | U with \`migration\` | Old purchase |
| GET | /supercases/{id}/notes, POST same | Notes |
| PUT | same | Change |
| GET | /companies/{companyId}/runs | Runs |
| GET | .../runs/{runId} | Run |
| GET | /people/{id or ext-id} | Person |
| METHOD | Path (prefix /people/{personId}/cases/{caseId}) | Purpose |
| GET | .../snooze | Snooze |
`);
  const loan = '/people/{personId}/loans/{loanId}';
  const draw = `${loan}/draws/{drawId}`;
  t.strictSame(
    rows.map(({ method, path }) => `${method} ${path}`),
    [
      `GET ${loan}/periods`,
      `POST ${draw}/rates`,
      `GET ${draw}/rates`,
      `GET ${draw}/rates/{rateId}`,
      `PUT ${draw}/rates/{rateId}`,
      `GET ${draw}/fees`,
      `GET ${draw}/promo-programs`,
      `POST ${draw}/purchases/{purchaseId}`,
      'GET /supercases/{id}/notes',
      'POST /supercases/{id}/notes',
      'PUT /supercases/{id}/notes',
      'GET /companies/{companyId}/runs',
      'GET /companies/{companyId}/runs/{runId}',
      'GET /people/{id}',
      'GET /people/{personId}/cases/{caseId}/snooze',
    ],
  );
  t.end();
});

const absent = FILES.find((name) => sharedFile('api', `${name}.md`) === undefined);

test('the page of coverage says which operations of the contract are built', {
  skip: absent === undefined ? false : missing('api', `${absent}.md`),
}, (t) => {
  const built = new Set(RESOURCE_ROUTES.map(({ method, path }) => `${method} ${shapeOf(path)}`));
  const named = new Set<string>();
  const parts: { name: string; rows: ContractRow[] }[] = [];
  for (const name of FILES) {
    const rows = contractRows(readFileSync(must(sharedFile('api', `${name}.md`), name), 'utf8'));
    for (const row of rows) named.add(keyOf(row));
    parts.push({ name: NAMES[name] ?? name, rows });
  }
  const isBuilt = (row: ContractRow): boolean => built.has(keyOf(row));
  const summary = parts.map(({ name, rows }) => `| ${name} | ${rows.length} | ${rows.filter(isBuilt).length} |`);
  const bySection = parts
    .filter(({ rows }) => rows.some(isBuilt) && !rows.every(isBuilt))
    .map(({ name, rows }) => {
      const sections = [...new Set(rows.map(({ section }) => section))];
      const lines = sections.map((section) => {
        const its = rows.filter((row) => row.section === section);
        return `| ${section} | ${its.length} | ${its.filter(isBuilt).length} |`;
      });
      return `## Sections of ${name}\n\n| Section | Operations | Built |\n|---|---|---|\n${lines.join('\n')}`;
    });
  const total = [...named];
  const lists = parts.flatMap(({ name, rows }) => {
    const lines = rows.filter((row) => !isBuilt(row)).map(({ method, path }) => `- \`${method} ${path}\``);
    return lines.length === 0 ? [] : [`## Missing in ${name}\n\n${lines.join('\n')}`];
  });
  const own = RESOURCE_ROUTES.filter((route) => !named.has(keyOf(route))).map(
    ({ method, path, summary: text }) => `| \`${method} ${path}\` | ${text} |`,
  );
  checkWrittenPage(
    t,
    'coverage.md',
    `# Coverage of the interface

Which operations of the interface are built. \`npm run docs\` writes this page from the tables of the interface's description and the
table of routes. An operation that two parts name counts in both, and once in the sum. Operations that are not built are listed by part.

| Part | Operations | Built |
|---|---|---|
${summary.join('\n')}
| all | ${total.length} | ${total.filter((key) => built.has(key)).length} |

${[...bySection, ...lists, ''].join('\n\n')}## Beyond the description

Operations that Tenor adds:

| Operation | Summary |
|---|---|
${own.join('\n')}
`,
  );
  t.end();
});
