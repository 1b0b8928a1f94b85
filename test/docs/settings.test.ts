import { test } from 'tap';
import { SETTINGS } from '../../bench/cli/settings.js';
import { checkWrittenPage } from './written-page.js';

test('docs/settings.md is the table of settings', async (t) => {
  const rows = SETTINGS.map(({ name, environment, standard, secret, meaning }) => {
    const value = standard === null ? '' : `\`${standard}\``;
    return `| \`${environment}\` | \`${name}\` | ${value} | ${meaning}${secret ? '. Secret: `check-config` hides it' : ''} |`;
  });
  checkWrittenPage(
    t,
    'settings.md',
    `# Settings

Tenor takes a setting from the flag of the subcommand, else from the environment, else from the config file: \`tenor.config.json\` in the
working folder, or the file that \`TENOR_CONFIG\` names. The file is one JSON object with the names of the second column.
\`tenor check-config\` prints the settings in force and every fault. \`npm run docs\` writes this page from \`bench/cli/settings.ts\`.

| Environment | Config file | Default | Meaning |
|---|---|---|---|
${rows.join('\n')}
`,
  );
});
