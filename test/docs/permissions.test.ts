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

Every operation asks for one permission, or for none but a valid credential. A user has the permissions of all of its roles, an API key
those of its user, and nobody gives another what they lack. \`GET /auth/permissions\` tells a caller its own.

A row without operations is asked for beside the permission of a route (\`transaction:create.servicecredit\` by the creation of a payment), or
belongs to operations of the contract that are not built yet (\`coverage.md\`). The table is \`actors/company/access/permission-table.ts\`; this page is made from it.

${sections.join('\n')}`,
  );
  t.end();
});
