import fc from '../../fast-check.js';
import { test } from 'tap';
import { addDays, formatDay, must, parseDay } from '../../../engine/index.js';
import { loanParts, packLoan, unpackLoan } from '../../../actors/loan/packing.js';
import type { LoanState } from '../../../actors/loan/state.js';
import { Refusal } from '../../../actors/index.js';
import { openSetting, type Setting } from './setting.js';

/** Random lives of a loan: what somebody orders, some days apart. */
const ORDERS = {
  freeze: {},
  unfreeze: { shiftDueDates: true },
  accelerate: {},
  reverseAccelerate: {},
  chargeOff: { chargedOffReason: 'bankruptcy' },
  reverseChargeOff: {},
  refresh: {},
  replay: {},
} as const;

const life = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom(...(Object.keys(ORDERS) as (keyof typeof ORDERS)[]))), {
  minLength: 1,
  maxLength: 8,
});

const RUNS = 25;

/** Orders that the loan's status refuses are part of a life. */
async function order(setting: Setting, loanId: string, name: keyof typeof ORDERS, preview: boolean): Promise<unknown> {
  try {
    const data = await setting.h.data(`loan.${name}`, loanId, { ...ORDERS[name], previewMode: preview });
    const { operationId: _id, ...shown } = data as Record<string, unknown>;
    return shown;
  } catch (cause) {
    if (cause instanceof Refusal && cause.errorType === 'invalidState') return 'refused';
    throw cause;
  }
}

test('a preview shows the result of the command, and a packed loan unpacks to the same loan', async (t) => {
  const start = must(parseDay('2024-01-15'), 'a date');
  await fc.assert(
    fc.asyncProperty(life, async (steps) => {
      const setting = await openSetting({ accelerationDueWithin: 60, chargeOffDueWithin: 90 });
      const { h } = setting;
      const loan = await setting.active();
      let day = start;
      for (const [days, name] of steps) {
        day = addDays(day, days);
        await setting.goTo(formatDay(day));
        const before = await h.query('loan.balances', loan.id);
        const previewed = name === 'refresh' ? null : await order(setting, loan.id, name, true);
        t.same(await h.query('loan.balances', loan.id), before);
        const booked = await order(setting, loan.id, name, false);
        if (previewed !== null && name !== 'freeze' && name !== 'replay') t.same(booked, previewed);
      }
      const state = must(h.engine.stateOf<LoanState>({ company: h.company, mode: 'test' }, 'loan', loan.id), 'the loan');
      const shown = [
        await h.query('loan.get', loan.id),
        await h.query('loan.balances', loan.id),
        await h.query('loan.statusHistory', loan.id),
      ];
      const parts = new Map(loanParts(state).map(({ name, value }) => [name, structuredClone(value)]));
      Object.assign(
        state,
        unpackLoan(structuredClone(packLoan(state)), (name) => parts.get(name)),
      );
      t.same(
        [await h.query('loan.get', loan.id), await h.query('loan.balances', loan.id), await h.query('loan.statusHistory', loan.id)],
        shown,
      );
      await h.restart();
      t.same(
        [await h.query('loan.get', loan.id), await h.query('loan.balances', loan.id), await h.query('loan.statusHistory', loan.id)],
        shown,
      );
      await h.engine.close();
    }),
    { numRuns: RUNS },
  );
});
