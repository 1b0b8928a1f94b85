import { test } from 'tap';
import { Refusal } from '../../../actors/index.js';
import { activationOf, loanModule, type LoanState } from '../../../actors/loan/index.js';
import { digestOf } from '../../../actors/loan/ledger/running.js';
import { addDays, formatDay, must, parseDay } from '../../../engine/index.js';
import { Random } from '../../gateway/fuzz/random.js';
import { SEED } from '../../seed.js';
import { runningBeside } from '../running-beside.js';
import { openSetting } from './setting.js';

const ORDERS: readonly (readonly [type: string, body: object])[] = [
  ['loan.freeze', {}],
  ['loan.unfreeze', { shiftDueDates: true }],
  ['loan.accelerate', {}],
  ['loan.reverseAccelerate', {}],
  ['loan.chargeOff', { chargedOffReason: 'bankruptcy' }],
  ['loan.reverseChargeOff', {}],
  ['loan.cancel', {}],
  ['loan.replay', {}],
];

test('a loan that XState runs from its snapshot comes to what the shard comes to, fact by fact', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const { module, compared } = runningBeside<LoanState>(loanModule(), {
    again: loanModule(),
    rests: ({ pendingMove }) => pendingMove === null,
    shown: (state) => (activationOf(state) === null ? state.record : [digestOf(state), state.statusHistory, activationOf(state)?.summary]),
  });
  const setting = await openSetting({ accelerationDueWithin: 60, chargeOffDueWithin: 90 }, '2024-01-15', module);
  t.teardown(() => setting.h.close());
  let day = must(parseDay('2024-01-15'), 'a date');
  for (let life = 0; life < 6; life += 1) {
    const loan = await setting.active();
    for (let step = 0; step < 6; step += 1) {
      day = addDays(day, random.below(30));
      await setting.goTo(formatDay(day));
      const [type, body] = random.pick(ORDERS);
      await setting.h.command(type, loan.id, body).catch((cause: unknown) => {
        if (!(cause instanceof Refusal)) throw cause;
      });
    }
  }
  for (const { fact, expected, actual } of compared) t.same(actual, expected, fact);
  t.ok(compared.some(({ before, after }) => before !== after));
});
