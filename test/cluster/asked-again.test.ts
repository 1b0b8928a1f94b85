import { test } from 'tap';
import type { Ask } from '../../actors/kernel/cluster/messages.js';
import { packRefusal, packValue } from '../../actors/kernel/cluster/codec.js';
import { BORROWER_UNITS, Refusal } from '../../actors/index.js';
import { type Bus, Unanswered } from '../../actors/kernel/ports.js';
import { UnitsClient } from '../../actors/kernel/cluster/units-client.js';
import { must } from '../../engine/index.js';

const UNIT = must(BORROWER_UNITS[0], 'a unit');
const COMMAND: Ask = {
  type: 'execute',
  command: {
    commandId: 'c-1',
    company: 'CP-1111-1111',
    mode: 'test',
    type: 'person.create',
    target: null,
    params: {},
    body: {},
    permissions: new Set(),
    actor: { type: 'system', id: 'test' },
    idempotency: { key: 'k-1', digest: 'd' },
  } as unknown as Extract<Ask, { readonly type: 'execute' }>['command'],
};
const stillRunning = packRefusal(
  new Refusal('idempotencyInProgress', 'The first request with this Idempotency-Key is still running. Try again in a second.'),
);
const lost = new Unanswered('unit', 'lost');

/** Returns the answers one after the other; from then on the last one. */
function clientOf(...answers: readonly (Uint8Array | Unanswered)[]): UnitsClient {
  let asked = 0;
  const bus: Bus = {
    serve: () => Promise.reject(new Error('it asks alone')),
    close: () => Promise.resolve(),
    ask: async () => {
      const answer = must(answers[Math.min(asked, answers.length - 1)], 'an answer');
      asked += 1;
      if (answer instanceof Unanswered) throw answer;
      return answer;
    },
  };
  return new UnitsClient(bus);
}

const refusalOf = (client: UnitsClient): Promise<unknown> =>
  client.ask<'execute'>(UNIT, COMMAND).then(
    () => null,
    (cause: unknown) => cause,
  );

test('a command that seemed lost while its worker has it in hand is answered as one request, not refused as a second', async (t) => {
  const outcome = { outcome: 'the reply', sharedSequence: 0 };
  t.strictSame(await clientOf(lost, stillRunning, stillRunning, packValue(outcome, 1)).ask<'execute'>(UNIT, COMMAND), outcome);
});

test('a caller who sends a second request while the first is under way is refused', async (t) => {
  t.match(await refusalOf(clientOf(stillRunning)), { errorType: 'idempotencyInProgress' });
});

test('one that stays in hand is refused for a while, as it may have taken effect', { timeout: 60_000 }, async (t) => {
  t.match(await refusalOf(clientOf(lost, stillRunning)), { errorType: 'unavailable', retryAfterSeconds: 1 });
});
