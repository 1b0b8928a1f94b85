import { test } from 'tap';
import { RoundRunner } from '../../../../actors/kernel/jobs/rounds.js';

/** A runner of the given round. */
class Runner extends RoundRunner {
  constructor(private readonly does: () => Promise<void>) {
    super(1_000);
  }

  protected override round(): Promise<void> {
    return this.does();
  }

  get ends(): boolean {
    return this.isClosed;
  }
}

test('one round runs at a time: who asks meanwhile gets the one that is under way, and closing waits for it', async (t) => {
  let begun = 0;
  let ended = 0;
  let release: () => void = () => undefined;
  const rounds = new Runner(async () => {
    begun += 1;
    await new Promise<void>((resolve) => (release = resolve));
    ended += 1;
  });
  const first = rounds.run();
  t.equal(rounds.run(), first);
  t.equal(begun, 1);
  release();
  await first;
  t.equal(ended, 1);
  void rounds.run();
  t.equal(begun, 2, 'the next one begins behind it');
  const closing = rounds.close();
  t.equal(rounds.ends, true);
  release();
  await closing;
  t.equal(ended, 2);
});

test('a failed round ends it for its caller alone', async (t) => {
  let fails = true;
  const rounds = new Runner(() => (fails ? Promise.reject(new Error('no')) : Promise.resolve()));
  await t.rejects(rounds.run(), { message: 'no' });
  fails = false;
  await t.resolves(rounds.run());
});
