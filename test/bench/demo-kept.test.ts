import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'tap';
import { tempFolder } from '../temp-folder.js';

const ENTRY_POINT = resolve(import.meta.dirname, '../../tenor.js');

/** Longest wait for the year of the demo, in milliseconds; it takes some ten seconds. */
const YEAR_MS = 240_000;

test('a demo that is kept leaves its service and its data to look at, until it is interrupted', async (t) => {
  const folder = join(tempFolder(t), 'demo');
  const demo = spawn(process.execPath, [ENTRY_POINT, 'demo', '--loans', '20', '--keep', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => demo.kill('SIGKILL'));
  const timer = setTimeout(() => demo.kill('SIGKILL'), YEAR_MS);
  let text = '';
  demo.stderr.on('data', (chunk: Buffer) => void (text += chunk.toString('utf8')));
  for await (const chunk of demo.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes('Later again')) break;
  }
  demo.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString('utf8')));
  clearTimeout(timer);
  const [, url = ''] = /goes on at (http:\S+)\/api/.exec(text) ?? [];
  const [, key = ''] = /export KEY=(\S+)/.exec(text) ?? [];
  t.match(text, `npm start -- --data ${folder}`);

  const answer = await fetch(`${url}/api/loans?limit=1`, { headers: { Authorization: `Bearer ${key}` } });
  t.equal(answer.status, 200, text);
  // Its loans are made side by side, so any of the last ones may be the newest; one of twelve months is paid off by the end of the year.
  t.match(await answer.json(), { total: 20, data: [{ externalId: /^demo-\d+$/, status: /^(active|paidOff)$/ }] });
  t.equal((await fetch(`${url}/api/docs`)).status, 200);

  const ended = once(demo, 'exit');
  demo.kill('SIGTERM');
  t.same(await ended, [0, null], text);
  t.match(text, /month by month/, 'the year is shown at the end');
  t.ok(existsSync(join(folder, 'journal')), 'the data stays');
  await t.rejects(fetch(`${url}/api/loans`), 'the service has stopped');
});
