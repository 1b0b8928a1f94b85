import { test } from 'tap';
import { Refusal } from '../../../../actors/errors.js';
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

/** Does one part a round, and keeps what is reported. */
class OnePart extends RoundRunner {
  readonly reported: string[] = [];
  readonly answers: unknown[] = [];

  constructor(private readonly work: () => Promise<unknown>) {
    super(60_000);
  }

  protected override async round(): Promise<void> {
    this.answers.push(await this.guarded(this.work, (cause) => void this.reported.push(cause)));
  }
}

test('what fails in a round is reported; what is refused for now is tried again in silence', async (t) => {
  const failures = [new Error('no such file'), new Refusal('unavailable', 'Still starting.'), new Refusal('notFound', 'Not here.'), null];
  const runner = new OnePart(async () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return 'done';
  });
  for (let round = 0; round < 4; round += 1) await runner.run();
  t.strictSame(runner.answers, [null, null, null, 'done']);
  t.strictSame(runner.reported, ['Error: no such file', 'Refusal: Not here.']);
});

test('no part begins after the end', async (t) => {
  const runner = new OnePart(async () => 'done');
  await runner.close();
  await runner.run();
  t.strictSame(runner.answers, [null]);
});
