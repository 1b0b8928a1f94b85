import { test } from 'tap';
import { Committer } from '../../../../actors/kernel/journal/committer.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import type { Journal, KeyStore } from '../../../../actors/kernel/ports.js';

const LOST = { errorType: 'unavailable', cause: { message: 'the disk is gone' } };

void test('the next batch is being written before the callers of the durable one are answered', async (t) => {
  const { committer, seen, finish } = openCommitter();
  const first = committer.add(0, 1, [new Uint8Array(1)], () => seen.push('first answered'));
  await eventLoopRound();
  const second = committer.add(0, 2, [new Uint8Array(1)], () => seen.push('second answered'));
  finish(null);
  await first.durable;
  t.strictSame(seen, ['append 1', 'append 2', 'first answered'], 'and the second is not answered before it is durable');
  finish(null);
  await second.durable;
  await committer.settled();
  t.strictSame(seen.slice(3), ['second answered']);
});

void test('a batch that cannot be written takes what waits with it, not what was durable before', async (t) => {
  const { committer, seen, finish } = openCommitter();
  const first = committer.add(0, 1, [new Uint8Array(1)], () => seen.push('first answered'));
  await eventLoopRound();
  const second = committer.add(0, 2, [new Uint8Array(1)], () => seen.push('second answered'));
  finish(null);
  await first.durable;
  const third = committer.add(0, 3, [new Uint8Array(1)], () => seen.push('third answered'));
  finish(new Error('the disk is gone'));
  await t.rejects(second.durable, LOST);
  await t.rejects(third.durable, LOST);
  t.strictSame(seen, ['append 1', 'append 2', 'first answered', 'failed']);
  t.throws(() => committer.assertRoom());
});

void test('work in the background waits for the batch under way alone, and has room again once what gathered is on its way', async (t) => {
  const { committer, seen, finish } = openCommitter();
  await committer.passed(); // nothing is being written: there is nothing to wait for
  const first = committer.add(0, 1, [new Uint8Array(1)]);
  await eventLoopRound();
  const many = Array.from({ length: LIMITS.pendingBackgroundRecords + 1 }, () => new Uint8Array(1));
  const second = committer.add(0, 2, many);
  t.notOk(committer.hasRoomInBackground());
  committer.assertRoom(); // of commands
  const passed = committer.passed().then(() => seen.push(`passed with room: ${committer.hasRoomInBackground()}`));
  finish(null);
  await passed;
  t.strictSame(seen, ['append 1', 'append 2', 'passed with room: true'], 'and the second is not durable yet');
  finish(new Error('the disk is gone'));
  await committer.passed();
  await t.rejects(second.durable, LOST);
  await first.durable;
});

/** Over a journal whose appends end when the test says so. */
function openCommitter(): { readonly committer: Committer; readonly seen: string[]; finish(fault: Error | null): void } {
  const seen: string[] = [];
  let finish: (fault: Error | null) => void = () => undefined;
  const journal = {
    append: ([block]: readonly { readonly firstSequence: number }[]) => {
      seen.push(`append ${block?.firstSequence ?? 0}`);
      return new Promise<void>((resolve, reject) => {
        finish = (fault) => (fault ? reject(fault) : resolve());
      });
    },
    hasRoom: () => true,
  } as unknown as Journal;
  const keys = { flush: () => Promise.resolve(), hasRoom: () => true } as unknown as KeyStore;
  return { committer: new Committer(journal, keys, () => seen.push('failed')), seen, finish: (fault) => finish(fault) };
}

function eventLoopRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
