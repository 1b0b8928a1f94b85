import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { type Test, test } from 'tap';
import { Service } from './service.js';
import { NAME } from '../people.js';

const mayMount = getuid?.() === 0;

function smallDisk(t: Test, megabytes: number): string {
  const mount = mkdtempSync(join(tmpdir(), 'tenor-small-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', mount]);
  t.teardown(() => {
    execFileSync('umount', [mount]);
    rmSync(mount, { recursive: true });
  });
  return mount;
}

test('on a full disk concurrent writes are refused or stored, memory is kept, and the service recovers by itself', {
  skip: mayMount ? false : 'not run: mounting a small tmpfs needs root',
}, async (t) => {
  const disk = smallDisk(t, 48); // room for one segment, and for no second
  const service = await Service.start(join(disk, 'data'));
  t.teardown(() => service.kill());
  const made: string[] = [];
  const seen = new Map<number, number>();
  const metaData = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`note${at}`, 'x'.repeat(400)]));
  const write = async (): Promise<void> => {
    for (let refused = 0; refused < 2; ) {
      const { status, json, retryAfterSeconds } = await service.ask('POST', '/people', { metaData, name: NAME });
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (status === 200) made.push((json['data'] as { readonly id: string }).id);
      else refused += status === 503 && retryAfterSeconds !== null ? 1 : 2;
    }
  };
  await Promise.all(Array.from({ length: 32 }, write));
  t.ok((seen.get(503) ?? 0) > 0, JSON.stringify([...seen]));
  t.same(
    [...seen.keys()].filter((status) => status !== 200 && status !== 503),
    [],
  );
  const { json: listed } = await service.ask('GET', '/people?limit=1');
  t.equal(listed['total'], made.length, 'what was refused is not there, and what was answered is');
  const failures = service.lines.filter((line) => /flush of the journal failed|memory is computed again|cannot be opened/.test(line));
  t.same(failures, [], 'nothing was dropped');

  execFileSync('mount', ['-o', 'remount,size=160m', disk]);
  let again = await service.ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Verde' } });
  for (; again.status === 503; again = await service.ask('POST', '/people', { name: NAME }))
    await new Promise((resolve) => setTimeout(resolve, 100));
  t.equal(again.status, 200);
  t.equal(await service.stop(), 0);
});
