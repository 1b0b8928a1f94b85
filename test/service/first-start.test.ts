import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { ENTRY_POINT } from '../../bench/cli/service-client.js';
import { tempFolder } from '../temp-folder.js';

interface Started {
  readonly child: ChildProcess;
  /** All output until there is a match. */
  says(what: RegExp): Promise<RegExpExecArray>;
  said(): string;
  ended(): Promise<{ readonly code: number | null; readonly said: string }>;
}

function serve(t: Test, dataFolder: string, port: number): Started {
  const { TENOR_TEST_KEY: _test, TENOR_LIVE_KEY: _live, ...env } = process.env;
  const child = spawn(process.execPath, [ENTRY_POINT, 'serve', '--port', String(port), '--data', dataFolder], {
    env: { ...env, TENOR_LOG: 'info' },
  });
  t.teardown(() => child.kill('SIGKILL'));
  // Kept separate, since a line of one may arrive in the middle of a line of the other.
  const texts = ['', ''];
  [child.stdout, child.stderr].forEach((stream, at) => stream.on('data', (chunk: Buffer) => (texts[at] += chunk.toString('utf8'))));
  const said = (): string => texts.join('\n');
  const ended = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    said,
    async says(what) {
      for (;;) {
        const found = what.exec(said());
        if (found) return found;
        await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended.then(() => Promise.reject(new Error(said())))]);
      }
    },
    async ended() {
      const [code] = await ended;
      return { code, said: said() };
    },
  };
}

test('a first start whose port is in use still prints the keys, and they work afterwards', async (t) => {
  const dataFolder = join(tempFolder(t), 'data');
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close());
  const { code, said } = await serve(t, dataFolder, (other.address() as AddressInfo).port).ended();
  t.equal(code, 1);
  t.match(said, 'is it in use?');
  const keys = ['TEST', 'LIVE'].map((mode) => new RegExp(`TENOR_${mode}_KEY=(\\S+)`).exec(said)?.[1] ?? '');

  const service = serve(t, dataFolder, 0);
  const [, url = ''] = await service.says(/^Tenor serves (\S+)$/m);
  for (const key of keys) t.equal((await fetch(`${url}/companies`, { headers: { 'X-API-KEY': key } })).status, 200);
  service.child.kill('SIGTERM');
  const second = await service.ended();
  t.equal(second.code, 0);
  t.notMatch(second.said, /KEY=/, 'once');
});

test('a service that is stopped while it starts ends cleanly', async (t) => {
  const service = serve(t, join(tempFolder(t), 'data'), 0);
  await service.says(/Opening the journal|Recovered/);
  service.child.kill('SIGTERM');
  t.equal((await service.ended()).code, 0);
});

test('a second process on a port that is served ends with one sentence, and all connections stay with the first', async (t) => {
  const port = await freePort(); // a port that the kernel chooses is never shared
  const first = serve(t, join(tempFolder(t), 'first'), port);
  const [, url = ''] = await first.says(/^Tenor serves (\S+)$/m);
  const second = serve(t, join(tempFolder(t), 'second'), port);
  await Promise.race([second.ended(), second.says(/Tenor serves/).catch(() => undefined)]);
  t.notMatch(second.said(), /Tenor serves/);
  second.child.kill('SIGTERM');
  const { code, said } = await second.ended();
  t.equal(code, 1);
  t.match(said, `cannot listen on 127.0.0.1 port ${port}: is it in use?`);
  t.notMatch(said, /\n\s+at /, 'a sentence and no stack');
  const key = /TENOR_TEST_KEY=(\S+)/.exec(first.said())?.[1] ?? '';
  for (let asked = 0; asked < 20; asked += 1)
    t.equal((await fetch(`${url}/companies`, { headers: { 'X-API-KEY': key, connection: 'close' } })).status, 200);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
