import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'tap';
import { BatchWriter } from '../../../../actors/kernel/journal/batch-writer.js';

interface Writing {
  readonly batch: readonly number[];
  readonly done: () => void;
  readonly fail: (cause: Error) => void;
}

/** A writer whose writes end when the test says so. */
function heldWriter(): { readonly writer: BatchWriter<number>; readonly writings: Writing[] } {
  const writings: Writing[] = [];
  const write = (batch: readonly number[]): Promise<void> =>
    new Promise((done, fail) => {
      writings.push({ batch, done, fail });
    });
  return { writer: new BatchWriter<number>({ from: 2, upTo: 4 }, write), writings };
}

void test('what gathers while a batch is written goes with the next, within the bound, in the order in which it came', async (t) => {
  const { writer, writings } = heldWriter();
  writer.add(1);
  t.notOk(writer.isFull);
  writer.add(2);
  t.ok(writer.isFull, 'nothing is being written');
  await writer.handOver();
  for (const item of [3, 4, 5]) writer.add(item);
  t.notOk(writer.isFull, 'the first batch is on its way');
  writer.add(6);
  t.ok(writer.isFull, 'no more may wait');
  let isHandedOver = false;
  const handedOver = writer.handOver().then(() => {
    isHandedOver = true;
  });
  await turn();
  t.notOk(isHandedOver, 'it waits for the batch before it');
  writings[0]?.done();
  await handedOver;
  writer.add(7);
  writings[1]?.done();
  const ended = writer.end();
  await turn();
  writings[2]?.done();
  await ended;
  t.same(
    writings.map(({ batch }) => batch),
    [[1, 2], [3, 4, 5, 6], [7]],
  );
});

void test('a failed write is thrown by the next hand-over, and nothing is written after it', async (t) => {
  const { writer, writings } = heldWriter();
  writer.add(1);
  await writer.handOver();
  writings[0]?.fail(new Error('the disk is full'));
  await turn();
  writer.add(2);
  await t.rejects(writer.handOver(), /the disk is full/);
  await t.rejects(writer.end(), /the disk is full/);
  await writer.idle();
  t.equal(writings.length, 1);
});

void test('an end without items writes nothing', async (t) => {
  const { writer, writings } = heldWriter();
  await writer.end();
  await writer.idle();
  t.same(writings, []);
});
