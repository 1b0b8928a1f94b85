import { must } from '../../assert.js';
import { carryLaterFee } from '../core/acceleration.js';
import type { FeeCharged } from '../core/facts.js';
import { feeState, manualFee, type NewFee } from '../core/fees.js';
import { askForMore } from '../core/obligations.js';
import type { FeeDueStatus, FeeState } from '../core/state.js';
import type { ChargeLogic } from '../core/terms.js';
import type { ChargePart } from '../scheduled/index.js';
import { beginEntry, enter } from './entering.js';
import { addCharge, chargePartOf, settle } from './scheduled-interest/scheduled-ledger.js';
import type { LedgerState } from './state.js';

/** The due status of a new fee: due at once, or waiting for a coming due date. */
function dueStatusAtCharge(state: LedgerState, chargeLogic: ChargeLogic): FeeDueStatus {
  if (state.status === 'chargedOff') return 'chargedOff';
  if (chargeLogic === 'immediate') return 'due';
  const hasDueDate = state.nextRow < state.rows.length && state.status !== 'accelerated';
  return hasDueDate || chargeLogic === 'nonDue' ? 'nonDue' : 'due';
}

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

/** After an acceleration one obligation carries everything, including later fees. */
function joinWhole(state: LedgerState, fee: FeeState): void {
  const obligation = must(state.obligations.at(-1), 'an acceleration makes an obligation');
  askForMore(state, obligation, fee.openCents);
  carryLaterFee(state, fee, obligation);
}

/** Fees that fall due with a row: those that wait for it, and unpaid fees that are due by themselves. */
export function fallsDueWith(fee: FeeState, state: LedgerState, isLastRow: boolean): boolean {
  if (fee.openCents === 0 || fee.carriedBy !== null) return false;
  // A fee that was recorded after a due date does not fall due on it.
  if (fee.knownDay >= state.day) return false;
  if (fee.dueStatus === 'due') return true;
  return fee.dueStatus === 'nonDue' && (isLastRow || fee.chargeLogic === 'nextDueDate');
}

/** Charges a manual fee. */
export function chargeFee(state: LedgerState, fact: FeeCharged): void {
  const before = beginEntry(state);
  addFee(state, manualFee(fact));
  enter(state, before, 'fee');
}
