import { assign, not, setup } from 'xstate';
import { type GuardContext, LEDGER_GUARDS, LEDGER_MOVES } from '../../engine/index.js';
import { Chart, STAYS, moves } from '../statechart.js';

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
 * The statuses of a loan. A transition without a target is a move that is allowed in that status and does not change it.
 *
 * The transitions between statuses with a ledger are the rows of `LEDGER_MOVES`; a replay derives statuses by the same rows. No command
 * makes `payOff` and `owe`: they follow from the balance. `accelerate` and `chargeOff` are ordered by a command, or follow from the days
 * overdue. `rememberFreeze` and `rememberUnfreeze` are orders that a replay finds while the loan is paid off: they take effect once
 * something is owed again. A frozen loan is unfrozen before it is charged off; an active one is `accelerated` first, in the same operation.
 */
export const loanMachine = setup({
  types: moves<LoanMove, GuardContext>(),
  guards: {
    isFrozen: ({ context }) => LEDGER_GUARDS.isFrozen(context),
    isAccelerated: ({ context }) => LEDGER_GUARDS.isAccelerated(context),
  },
  actions: {
    noteActive: assign({ isFrozen: false, isAccelerated: false }),
    noteFrozen: assign({ isFrozen: true, isAccelerated: false }),
    noteAccelerated: assign({ isFrozen: false, isAccelerated: true }),
  },
}).createMachine({
  id: 'loan',
  context: { isFrozen: false, isAccelerated: false },
  initial: 'pending',
  states: {
    pending: {
      on: {
        originate: 'originated',
        decline: 'declined',
        cancel: 'canceled',
        update: STAYS,
        changeTerms: STAYS,
      },
    },
    originated: {
      on: {
        activate: 'active',
        draw: STAYS,
        planAdvances: STAYS,
        cancel: 'canceled',
        reopen: 'pending',
        enrollAutopay: STAYS,
        update: STAYS,
        forceTerms: STAYS,
      },
    },
    declined: { on: { update: STAYS } },
    active: {
      entry: 'noteActive',
      on: {
        ...LEDGER_MOVES.active,
        close: STAYS,
        pay: STAYS,
        payDown: STAYS,
        manageMoney: STAYS,
        chargeFee: STAYS,
        cancelFee: STAYS,
        promise: STAYS,
        promo: STAYS,
        refund: STAYS,
        advance: STAYS,
        planAdvances: STAYS,
        manageRefund: STAYS,
        managePromise: STAYS,
        reamortize: STAYS,
        changeRates: STAYS,
        enrollAutopay: STAYS,
        modify: STAYS,
        draw: STAYS,
        purchase: STAYS,
        managePurchase: STAYS,
        changeLimit: STAYS,
        deferBalances: STAYS,
        changeDueDates: STAYS,
        reimburseLine: STAYS,
        refresh: STAYS,
        replay: STAYS,
        quote: STAYS,
        state: STAYS,
        update: STAYS,
      },
    },
    frozen: {
      entry: 'noteFrozen',
      on: {
        ...LEDGER_MOVES.frozen,
        cancelFee: STAYS,
        managePromise: STAYS,
        managePurchase: STAYS,
        replay: STAYS,
        quote: STAYS,
        state: STAYS,
        update: STAYS,
      },
    },
    accelerated: {
      entry: 'noteAccelerated',
      on: {
        ...LEDGER_MOVES.accelerated,
        pay: STAYS,
        manageMoney: STAYS,
        reimburseLine: STAYS,
        chargeFee: STAYS,
        cancelFee: STAYS,
        manageRefund: STAYS,
        managePromise: STAYS,
        refresh: STAYS,
        managePurchase: STAYS,
        replay: STAYS,
        quote: STAYS,
        state: STAYS,
        update: STAYS,
      },
    },
    chargedOff: {
      on: {
        ...LEDGER_MOVES.chargedOff,
        pay: STAYS,
        manageMoney: STAYS,
        reimburseLine: STAYS,
        cancelFee: STAYS,
        refresh: STAYS,
        managePurchase: STAYS,
        replay: STAYS,
        quote: STAYS,
        state: STAYS,
        update: STAYS,
        explainChargeOff: STAYS,
      },
    },
    paidOff: {
      on: {
        ...LEDGER_MOVES.paidOff,
        rememberFreeze: { guard: not('isAccelerated'), actions: 'noteFrozen' },
        rememberUnfreeze: { guard: not('isAccelerated'), actions: 'noteActive' },
        manageRefund: STAYS,
        chargeFee: STAYS,
        manageMoney: STAYS,
        reimburse: STAYS,
        reimburseLine: STAYS,
        cancelFee: STAYS,
        refresh: STAYS,
        managePurchase: STAYS,
        replay: STAYS,
        quote: STAYS,
        state: STAYS,
        update: STAYS,
      },
    },
    canceled: {
      on: {
        ...LEDGER_MOVES.canceled,
        manageMoney: STAYS,
        reimburse: STAYS,
        reimburseLine: STAYS,
      },
    },
  },
});

/** The moves of a loan, named as in its statechart. */
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
  | 'keepCanceled'
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
  | 'rememberFreeze'
  | 'rememberUnfreeze'
  | 'reopen'
  | 'replay'
  | 'reverseAccelerate'
  | 'reverseChargeOff'
  | 'state'
  | 'unfreeze'
  | 'update';

export const loanChart = new Chart<LoanStatus, LoanMove>(loanMachine);

export const mayMove = (status: LoanStatus, move: LoanMove): boolean => loanChart.allows(status, move);

/** The statuses that allow a move, in the order of a loan's life. */
export const statusesFor = (move: LoanMove): readonly LoanStatus[] => loanChart.statesFor(move);

/** Moves that only one of the two products has. */
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
