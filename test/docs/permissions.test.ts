import { test } from 'tap';
import { PERMISSIONS } from '../../actors/index.js';
import { RESOURCE_ROUTES } from '../../gateway/index.js';
import { checkWrittenPage } from './written-page.js';

const operationsOf = (permission: string): string =>
  RESOURCE_ROUTES.filter((route) => route.permission === permission)
    .map(({ operation }) => `\`${operation}\``)
    .join(', ');

test('the page of permissions says what the catalogue and the routes say', (t) => {
  const groups = [...new Set(PERMISSIONS.map(({ group }) => group))].sort();
  const sections = groups.map((group) => {
    const rows = PERMISSIONS.filter((entry) => entry.group === group).map(
      ({ name, description }) => `| \`${name}\` | ${description} | ${operationsOf(name)} |`,
    );
    return `## ${group}\n\n| Permission | What it allows | Operations |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  checkWrittenPage(
    t,
    'permissions.md',
    `# Permissions

Every operation needs one permission, or only a valid credential. A user has the permissions of all its roles. An API key has those of its
user. Nobody can grant a permission that they lack. \`GET /auth/permissions\` returns the permissions of the caller.

A permission without operations is checked inside an operation (\`transaction:create.servicecredit\` when a service credit is created), or
belongs to an operation that is not built yet ([coverage](coverage.md)). \`npm run docs\` writes this page from
\`actors/company/access/permission-table.ts\`.

${sections.join('\n')}`,
  );
  t.end();
});
