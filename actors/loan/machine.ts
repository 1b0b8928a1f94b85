import { setup } from 'xstate';
import { assert } from '../../engine/index.js';

/** Every status of a loan (base.md, States and transitions). */
export const LOAN_STATUSES = [
  'pending',
  'originated',
  'declined',
  'active',
  'frozen',
  'accelerated',
  'chargedOff',
  'paidOff',
  'canceled',
] as const;

export type LoanStatus = (typeof LOAN_STATUSES)[number];

/**
 * The life of a loan. A transition without a target is
 * something that may be done in that status and leaves it as it is.
 *
 * `payOff` and `owe` are not ordered by anybody: they follow from the balance. `accelerate` and `chargeOff`
 * are ordered by hand or follow from the days overdue. A frozen loan that is charged off is unfrozen first,
 * and an active one passes through `accelerated` in the same operation.
 */
export const loanMachine = setup({
  types: {
    context: {} as { readonly statusBeforePayOff: LoanStatus },
    events: {} as { readonly type: LoanMove },
  },
  guards: {
    wasAccelerated: ({ context }) => context.statusBeforePayOff === 'accelerated',
    wasFrozen: ({ context }) => context.statusBeforePayOff === 'frozen',
  },
}).createMachine({
  id: 'loan',
  context: { statusBeforePayOff: 'active' },
  initial: 'pending',
  states: {
    pending: {
      on: {
        originate: 'originated',
        decline: 'declined',
        cancel: 'canceled',
        update: {},
        changeTerms: {},
      },
    },
    originated: {
      on: {
        activate: 'active',
        draw: {},
        planAdvances: {},
        cancel: 'canceled',
        reopen: 'pending',
        enrollAutopay: {},
        update: {},
        forceTerms: {},
      },
    },
    declined: { on: { update: {} } },
    active: {
      on: {
        freeze: 'frozen',
        accelerate: 'accelerated',
        chargeOff: 'chargedOff',
        payOff: 'paidOff',
        cancel: 'canceled',
        close: {},
        pay: {},
        payDown: {},
        manageMoney: {},
        chargeFee: {},
        cancelFee: {},
        promise: {},
        promo: {},
        refund: {},
        advance: {},
        planAdvances: {},
        manageRefund: {},
        managePromise: {},
        reamortize: {},
        changeRates: {},
        enrollAutopay: {},
        modify: {},
        draw: {},
        purchase: {},
        managePurchase: {},
        changeLimit: {},
        deferBalances: {},
        changeDueDates: {},
        reimburseLine: {},
        refresh: {},
        replay: {},
        quote: {},
        state: {},
        update: {},
      },
    },
    frozen: {
      on: {
        unfreeze: 'active',
        chargeOff: 'chargedOff',
        payOff: 'paidOff',
        cancelFee: {},
        managePromise: {},
        managePurchase: {},
        replay: {},
        quote: {},
        state: {},
        update: {},
      },
    },
    accelerated: {
      on: {
        reverseAccelerate: 'active',
        chargeOff: 'chargedOff',
        payOff: 'paidOff',
        pay: {},
        manageMoney: {},
        reimburseLine: {},
        chargeFee: {},
        cancelFee: {},
        manageRefund: {},
        managePromise: {},
        refresh: {},
        managePurchase: {},
        replay: {},
        quote: {},
        state: {},
        update: {},
      },
    },
    chargedOff: {
      on: {
        reverseChargeOff: 'active',
        pay: {},
        manageMoney: {},
        reimburseLine: {},
        cancelFee: {},
        refresh: {},
        managePurchase: {},
        replay: {},
        quote: {},
        state: {},
        update: {},
        explainChargeOff: {},
      },
    },
    paidOff: {
      on: {
        owe: [{ guard: 'wasAccelerated', target: 'accelerated' }, { guard: 'wasFrozen', target: 'frozen' }, { target: 'active' }],
        manageRefund: {},
        chargeFee: {},
        manageMoney: {},
        reimburse: {},
        reimburseLine: {},
        cancelFee: {},
        refresh: {},
        managePurchase: {},
        replay: {},
        quote: {},
        state: {},
        update: {},
      },
    },
    canceled: {},
  },
});

/** What may be asked of a loan, in the words of the statechart. */
export type LoanMove =
  | 'activate'
  | 'accelerate'
  | 'advance'
  | 'cancel'
  | 'cancelFee'
  | 'changeDueDates'
  | 'changeLimit'
  | 'changeRates'
  | 'changeTerms'
  | 'chargeFee'
  | 'chargeOff'
  | 'close'
  | 'decline'
  | 'deferBalances'
  | 'draw'
  | 'enrollAutopay'
  | 'explainChargeOff'
  | 'forceTerms'
  | 'freeze'
  | 'manageMoney'
  | 'managePromise'
  | 'managePurchase'
  | 'manageRefund'
  | 'modify'
  | 'originate'
  | 'owe'
  | 'pay'
  | 'payDown'
  | 'payOff'
  | 'promise'
  | 'promo'
  | 'planAdvances'
  | 'purchase'
  | 'quote'
  | 'reamortize'
  | 'refresh'
  | 'refund'
  | 'reimburse'
  | 'reimburseLine'
  | 'reopen'
  | 'replay'
  | 'reverseAccelerate'
  | 'reverseChargeOff'
  | 'state'
  | 'unfreeze'
  | 'update';

/** The moves of each status, taken from the statechart once: asking costs a set look-up. */
const MOVES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(loanMachine.states).map(([status, node]) => [status, new Set(Object.keys(node.on))]),
);

export function mayMove(status: LoanStatus, move: LoanMove): boolean {
  const moves = MOVES.get(status);
  assert(moves !== undefined, `a status without a state: ${status}`);
  return moves.has(move);
}

/** The statuses in which a move is legal, in the order of life. */
export function statusesFor(move: LoanMove): readonly LoanStatus[] {
  return LOAN_STATUSES.filter((status) => mayMove(status, move));
}

/** What only one of the two products knows. */
const OF_INSTALLMENT: ReadonlySet<LoanMove> = new Set([
  'advance',
  'planAdvances',
  'refund',
  'manageRefund',
  'reamortize',
  'modify',
  'payDown',
]);
const OF_LINE: ReadonlySet<LoanMove> = new Set(['draw', 'purchase', 'managePurchase', 'changeLimit', 'deferBalances', 'reimburseLine']);

export function productOf(move: LoanMove): 'installment' | 'lineOfCredit' | null {
  if (OF_INSTALLMENT.has(move)) return 'installment';
  return OF_LINE.has(move) ? 'lineOfCredit' : null;
}
