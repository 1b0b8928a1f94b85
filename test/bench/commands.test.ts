import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { test } from 'tap';
import { addCommands } from '../../bench/index.js';
import { NO_COMMANDS } from './no-commands.js';
import { tenor } from './tenor.js';
import { tenorHere } from './tenor-here.js';

/** Commands that serve until they are stopped have no JSON output. */
const SERVING = new Set(['tenor serve', 'tenor worker', 'tenor gateway', 'tenor cluster']);

test('every command has an example, explains its exit codes, and prints JSON with --json', async (t) => {
  for (const { name, command } of leavesOf(new Command('tenor'))) {
    let help = '';
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
    t.match(help, new RegExp(`Example:\n  ${name}`), name);
    t.match(help, /Exit codes: 0 /, name);
    t.equal(
      command.options.some(({ long }) => long === '--json'),
      !SERVING.has(name),
      `${name} --json`,
    );
  }
});

test('the program says which release it is', async (t) => {
  const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8')) as {
    readonly version: string;
  };
  t.match(await tenor({}, '--version'), { code: 0, out: `${version}\n` });
});

test('a wrong command line ends with code 2, help with 0', async (t) => {
  t.match(await tenor({}, 'operations', '--colour', 'blue'), { code: 2, error: /unknown option '--colour'/ });
  t.match(await tenorHere({}, 'paint'), { code: 2, error: /unknown command 'paint'/ });
  t.match(await tenorHere({}), { code: 2 });
  t.match(await tenorHere({}, 'loan', 'diff', 'LN-1'), { code: 2, error: /--known/ });
  t.match(await tenor({}, 'verify', '--data', '/nowhere/at/all'), { code: 2, error: /There is no data/ });
  t.match(await tenorHere({ TENOR_PORT: 'eighty' }, 'check-config', '--json'), { code: 1, out: /"message": "must be a port/ });
  const misspelt = JSON.parse(
    (await tenorHere({ TENOR_PROT: '8081', TENOR_URL: 'http://127.0.0.1:8081' }, 'check-config', '--json')).out,
  ) as { readonly unknown: readonly string[] };
  t.ok(misspelt.unknown.includes('TENOR_PROT'));
  t.notOk(misspelt.unknown.includes('TENOR_URL'));
  const wrong = { TENOR_ZONE: 'Nowhere', TENOR_MASTER_KEY: 'secret', TENOR_CONFIG: '/nowhere/tenor.json' };
  const { code, out } = await tenorHere(wrong, 'check-config', '--json');
  t.equal(code, 1);
  for (const fault of [
    /"message": "must be an IANA time zone/,
    /"message": "must be 32 bytes/,
    /"name": "TENOR_CONFIG",\s+"message": "there is no file/,
  ])
    t.match(out, fault);
  t.match(await tenorHere({}, 'operations', '--help'), { code: 0, out: /watch/ });
});

test('commands that call a running service say in a sentence what is wrong', async (t) => {
  t.match(await tenorHere({}, 'operations'), {
    code: 2,
    error: /asks for a key, in TENOR_KEY or --key\. `npm start` printed one for each mode .*; further ones come from "tenor keys create"/,
  });
  t.match(await tenorHere({ TENOR_KEY: 'k', TENOR_URL: 'localhost' }, 'operations'), { code: 2, error: /scheme and a host/ });
  t.match(await tenorHere({ TENOR_KEY: 'k', TENOR_URL: 'http://127.0.0.1:9' }, 'operations'), {
    code: 1,
    error: /^http:\/\/127\.0\.0\.1:9 does not answer: .*\n$/,
  });
});

test('the demo refuses a number of loans that does not show each habit of its borrowers', async (t) => {
  const refused = await tenorHere({}, 'demo', '--loans', '9');
  t.match(refused, { code: 2, error: /--loans must be a whole number from 10 to 10000: 9/ });
});

function leavesOf(program: Command): readonly { readonly name: string; readonly command: Command }[] {
  addCommands(program, NO_COMMANDS);
  const walk = (command: Command, name: string): { name: string; command: Command }[] =>
    command.commands.length === 0 ? [{ name, command }] : command.commands.flatMap((child) => walk(child, `${name} ${child.name()}`));
  return walk(program, 'tenor');
}
