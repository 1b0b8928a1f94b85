import { must } from '../../assert.js';
import type { Cents } from '../../money/index.js';
import type { BalanceTotals, EntryType } from '../core/entries.js';
import type { FeeCharged } from '../core/facts.js';
import { roundedCents } from '../core/interest.js';
import type { FeeDueStatus, FeeState, ObligationState } from '../core/state.js';
import type { ChargeLogic } from '../core/terms.js';
import type { ChargePart } from '../scheduled/index.js';
import { type Accounts, accountsOf, DerivedEntry } from './derived-entry.js';
import { askForMore } from './fulfil.js';
import { addCharge, chargePartOf, settle } from './kept/scheduled-ledger.js';
import type { LedgerState } from './state.js';

/** The balances before a change. Not read without a watcher, so that a plain computation has no cost for entries. */
export interface Before {
  /** Null if the watcher receives no entries. */
  readonly accounts: Accounts | null;
  readonly totals: BalanceTotals;
}

export function beginEntry(state: LedgerState): Before | null {
  const { watcher } = state;
  if (watcher === null) return null;
  return { accounts: watcher.entered === undefined ? null : accountsOf(state), totals: balanceTotals(state) };
}

/** Types without money in or out: the outstanding balance only accrues or moves. */
const SILENT: ReadonlySet<EntryType> = new Set(['interestAccrual', 'movedToDue', 'movedToOverdue']);

/** Sends the change since `before` to the watcher as one entry, and as a change of the balance unless the type is silent. */
export function enter(state: LedgerState, before: Before | null, entryType: EntryType): void {
  if (before === null) return;
  const { day, seconds, source } = state;
  if (before.accounts !== null) {
    const entry = new DerivedEntry({ day, seconds, entryType, source }, before.accounts, accountsOf(state));
    if (entry.isChange) state.watcher?.entered?.(entry);
  }
  if (SILENT.has(entryType)) return;
  const balances = balanceTotals(state);
  const { totalCents, principalCents } = before.totals;
  if (balances.totalCents === totalCents && balances.principalCents === principalCents) return;
  state.watcher?.happened({
    type: 'balanceChanged',
    day,
    seconds,
    cause: entryType,
    balances,
    previousBalances: before.totals,
  });
}

/** Totals of the outstanding balance, without charged-off balances. */
export function balanceTotals(state: LedgerState): BalanceTotals {
  let openFees = 0;
  let overdueFees = state.overdueOriginationFeeCents;
  for (const fee of state.fees) {
    if (fee.dueStatus === 'chargedOff') continue;
    openFees += fee.openCents;
    if (fee.dueStatus === 'overdue') overdueFees += fee.openCents;
  }
  const principal = state.nonDuePrincipalCents + state.duePrincipalCents + state.overduePrincipalCents;
  const interest = roundedCents(state.nonDueInterest) + state.dueInterestCents + state.overdueInterestCents;
  const fees = state.nonDueOriginationFeeCents + state.dueOriginationFeeCents + state.overdueOriginationFeeCents + openFees;
  return {
    principalCents: principal as Cents,
    interestCents: interest as Cents,
    feesCents: fees as Cents,
    totalCents: (principal + interest + fees) as Cents,
    overdueCents: (state.overduePrincipalCents + state.overdueInterestCents + overdueFees) as Cents,
  };
}

/** The due status of a new fee: due at once, or waiting for a coming due date. */
function dueStatusAtCharge(state: LedgerState, chargeLogic: ChargeLogic): FeeDueStatus {
  if (state.status === 'chargedOff') return 'chargedOff';
  if (chargeLogic === 'immediate') return 'due';
  const hasDueDate = state.nextRow < state.rows.length && state.status !== 'accelerated';
  return hasDueDate || chargeLogic === 'nonDue' ? 'nonDue' : 'due';
}

export type NewFee = Pick<
  FeeState,
  'fee' | 'obligation' | 'feeTypeId' | 'kind' | 'chargeLogic' | 'chargeDay' | 'chargeSeconds' | 'knownDay' | 'amountCents'
>;

/** Adds a fee with the due status of its charge logic. */
export function addFee(state: LedgerState, fee: NewFee): void {
  const dueStatus = dueStatusAtCharge(state, fee.chargeLogic);
  const isDue = dueStatus !== 'nonDue';
  const added = feeState(fee, false);
  added.openCents = fee.amountCents;
  added.dueStatus = dueStatus;
  added.dueDay = isDue ? fee.chargeDay : null;
  state.fees.push(added);
  state.openFeesCents += fee.amountCents;
  state.totals.feesChargedCents += fee.amountCents;
  if (state.scheduledFacts !== null) chargeInstallment(state, added);
  else if (state.status === 'accelerated' || state.status === 'chargedOff') joinWhole(state, added);
}

/** Adds fees that are owed again after a chargeback. They have no identity of their own. */
export function addRevivedFee(state: LedgerState, part: ChargePart, amountCents: number): void {
  const { day, seconds } = state;
  const kind = part === 'penalties' ? 'lateFee' : 'otherFee';
  const fee: NewFee = {
    fee: null,
    obligation: null,
    feeTypeId: 'chargedBack',
    kind,
    chargeLogic: 'nextDueDate',
    chargeDay: day,
    chargeSeconds: seconds,
    knownDay: day,
    amountCents,
  };
  const added = feeState(fee, false);
  added.openCents = amountCents;
  added.dueStatus = dueStatusAtCharge(state, fee.chargeLogic);
  state.fees.push(added);
  state.openFeesCents += amountCents;
  if (state.scheduledFacts === null) joinWhole(state, added);
}

function chargeInstallment(state: LedgerState, { kind, amountCents }: FeeState): void {
  addCharge(state, chargePartOf(kind), amountCents);
  settle(state);
  // A paid installment may be open again: it becomes overdue with the next daily job.
  state.firstUnenforced = 0;
}

/** A waived fee stays in the list without effect, so that the interface can show it. */
export function noteWaivedFee(state: LedgerState, fee: NewFee): void {
  state.fees.push(feeState(fee, true));
}

/** A fee that is in no balance yet. */
export function feeState(fee: NewFee, isCanceled: boolean): FeeState {
  return {
    fee: fee.fee,
    obligation: fee.obligation,
    feeTypeId: fee.feeTypeId,
    kind: fee.kind,
    chargeLogic: fee.chargeLogic,
    chargeDay: fee.chargeDay,
    chargeSeconds: fee.chargeSeconds,
    knownDay: fee.knownDay,
    amountCents: fee.amountCents,
    openCents: 0,
    creditedCents: 0,
    dueStatus: 'nonDue',
    dueDay: null,
    carriedBy: null,
    isCanceled,
  };
}

/** After an acceleration one obligation carries everything, including later fees. */
function joinWhole(state: LedgerState, fee: FeeState): void {
  const obligation = must(state.obligations.at(-1), 'an acceleration makes an obligation');
  askForMore(state, obligation, fee.openCents);
  if (fee.kind !== 'lateFee') obligation.withoutLateFeesCents += fee.openCents;
  fee.carriedBy = obligation.ordinal;
  fee.dueDay = obligation.dueDay;
  if (state.status === 'accelerated') fee.dueStatus = obligation.isEnforced ? 'overdue' : 'due';
}

/** Fees that fall due with a row: those that wait for it, and unpaid fees that are due by themselves. */
export function fallsDueWith(fee: FeeState, state: LedgerState, isLastRow: boolean): boolean {
  if (fee.openCents === 0 || fee.carriedBy !== null) return false;
  // A fee that was recorded after a due date does not fall due on it.
  if (fee.knownDay >= state.day) return false;
  if (fee.dueStatus === 'due') return true;
  return fee.dueStatus === 'nonDue' && (isLastRow || fee.chargeLogic === 'nextDueDate');
}

export function carryFee(fee: FeeState, obligation: ObligationState): void {
  fee.dueStatus = 'due';
  fee.carriedBy = obligation.ordinal;
  fee.dueDay = obligation.dueDay;
}

/** Charges a manual fee. A fee that was waived later is added as waived. */
export function chargeFee(state: LedgerState, fact: FeeCharged, isWaived: boolean): void {
  const fee: NewFee = {
    fee: fact.fee,
    obligation: null,
    feeTypeId: fact.feeTypeId,
    kind: fact.kind,
    chargeLogic: fact.chargeLogic,
    chargeDay: fact.effective.day,
    chargeSeconds: fact.effective.seconds,
    knownDay: fact.recordedDay > fact.effective.day ? fact.recordedDay : fact.effective.day,
    amountCents: fact.amountCents,
  };
  if (isWaived) {
    noteWaivedFee(state, fee);
    return;
  }
  const before = beginEntry(state);
  addFee(state, fee);
  enter(state, before, 'fee');
}
