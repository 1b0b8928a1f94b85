import { test } from 'tap';
import { SETTINGS } from '../../bench/cli/settings.js';
import { checkWrittenPage } from './written-page.js';

test('docs/settings.md is the table of settings', async (t) => {
  const rows = SETTINGS.map(
    ({ name, environment, standard, secret, meaning }) =>
      `| \`${environment}\` | \`${name}\` | ${standard === null ? '' : `\`${standard}\``} | ${meaning}${secret ? ' (secret: never printed)' : ''} |`,
  );
  checkWrittenPage(
    t,
    'settings.md',
    `# Settings

Flags of a subcommand win over the environment, the environment over \`tenor.config.json\` in the working folder (or the file that
\`TENOR_CONFIG\` names): one JSON object with the names of the second column. \`tenor check-config\` prints what is in force and names
every fault. This page is made from \`bench/cli/settings.ts\` by \`npm run docs\`.

| Environment | Config file | Default | Meaning |
|---|---|---|---|
${rows.join('\n')}
`,
  );
});
