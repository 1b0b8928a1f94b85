import { assert, must } from '../../assert.js';
import type { RateTimeline } from '../../rates/index.js';
import { mixBalancesByDueStatus, Mixer, mixFee, mixObligation, mixPayment, NOTHING_DIGESTED, STATUS_NUMBERS } from '../core/digest.js';
import { ACCELERATION_ORDINAL, type ObligationState, type PaymentState } from '../core/state.js';
import { areThresholdsHeld } from '../core/status-moves.js';
import type { LedgerTerms } from '../core/terms.js';
import { copyFee, copyObligation, copyState, copyTotals } from './copies.js';
import { PaymentList } from './payment-list.js';
import type { LedgerState, OpenRow } from './state.js';

/**
 * A copy for simulations. It shares what does not change any more: terms, rates, rows, payments, and settled obligations. The
 * copy has no watcher.
 */
export function cloneState(state: LedgerState): LedgerState {
  const copy = copyState(state);
  copy.watcher = null;
  copy.fees = state.fees.map(copyFee);
  copy.obligations = copyObligations(state);
  copy.payments = state.payments.copy();
  copy.unknownRates = state.unknownRates === null ? null : { ...state.unknownRates };
  copy.totals = copyTotals(state.totals);
  return copy;
}

function copyObligations(state: LedgerState): ObligationState[] {
  const copies = state.obligations.slice();
  for (let at = settledObligations(state); at < copies.length; at += 1) {
    const obligation = copies[at];
    if (obligation !== undefined) copies[at] = copyObligation(obligation);
  }
  return copies;
}

/**
 * The number of obligations at the front that are settled: fulfilled to the last cent, and not the obligation of an
 * acceleration, which later fees join. They do not change, so copies share them and digests do not read them again.
 */
function settledObligations({ obligations, firstOpenObligation, digestedObligations }: LedgerState): number {
  let { count } = digestedObligations;
  for (; count < firstOpenObligation; count += 1) {
    const obligation = obligations[count];
    if (obligation === undefined || obligation.remainingCents > 0 || obligation.ordinal === ACCELERATION_ORDINAL) break;
  }
  return count;
}

/**
 * 16 hexadecimal digits over the whole state of a ledger. Two replays of the same facts have the same digest on every machine.
 * It protects against mistakes, not against forgery.
 */
export function stateDigest(state: LedgerState): string {
  const hash = new Mixer(NOTHING_DIGESTED);
  mixHead(hash, state);
  mixBalances(hash, state);
  hash.lanes(digestObligations(state));
  for (const fee of state.fees) mixFee(hash, fee);
  hash.lanes(digestPayments(state));
  return hash.text();
}

/** Lists have lanes of their own, so that settled elements at their front are read once and not with each digest. */
function digestObligations(state: LedgerState): Mixer {
  const { obligations, digestedObligations: known } = state;
  const hash = new Mixer(known);
  const settled = settledObligations(state);
  mixObligations(hash, obligations, known.count, settled);
  if (settled > known.count) state.digestedObligations = hash.digested(settled);
  mixObligations(hash, obligations, settled, obligations.length);
  return hash;
}

/** A payment does not change later. */
function digestPayments(state: LedgerState): Mixer {
  const { payments, digestedPayments: known } = state;
  const hash = new Mixer(known);
  for (let at = known.count; at < payments.length; at += 1) mixPayment(hash, must(payments.at(at), 'a payment'));
  if (payments.length > known.count) state.digestedPayments = hash.digested(payments.length);
  return hash;
}

function mixObligations(hash: Mixer, obligations: readonly ObligationState[], from: number, to: number): void {
  for (let at = from; at < to; at += 1) mixObligation(hash, must(obligations[at], 'an obligation'));
}

function mixHead(hash: Mixer, state: LedgerState): void {
  hash.number(state.day);
  hash.number(STATUS_NUMBERS[state.status]);
  hash.number(state.statusSince);
  hash.number(state.nextRow);
  hash.number(state.rows.length);
  hash.number(state.prepaidCents);
  hash.number(state.originationAskedCents);
  hash.number(state.unassignedCents);
  hash.number(state.processingPayments);
  hash.number(state.frozenSteps?.length ?? -1);
  // Loans without a holder keep the digest of releases that did not have holders.
  if (areThresholdsHeld(state)) hash.number(state.thresholdHolders.length);
  if (state.lateFeeAheadCents > 0) hash.number(state.lateFeeAheadCents);
}

function mixBalances(hash: Mixer, state: LedgerState): void {
  mixBalancesByDueStatus(hash, state);
  hash.number(state.nonDueOriginationFeeCents);
  hash.number(state.dueOriginationFeeCents);
  hash.number(state.overdueOriginationFeeCents);
  hash.number(state.chargedOffOriginationFeeCents);
  hash.interest(state.totals.interestAccrued);
  hash.interest(state.totals.interestDiscount);
  hash.interest(state.totals.forgoneRounding);
  hash.number(state.totals.paidPrincipalCents);
  hash.number(state.totals.paidInterestCents);
  hash.number(state.totals.paidFeesCents);
  hash.number(state.totals.reimbursementCents);
  // Loans without refunds of overpaid money keep the digest of releases that did not have them.
  if (state.totals.reimbursedCents > 0) hash.number(state.totals.reimbursedCents);
}

type Derived = 'terms' | 'watcher' | 'seconds' | 'source' | 'rateIndex' | 'firstUnenforced' | 'digestedObligations' | 'digestedPayments';

/**
 * A state as plain data for a snapshot. The terms are not in it: they belong to the loan, and `decodeState` gets them as an
 * argument.
 */
export interface EncodedState extends Omit<LedgerState, Derived | 'rates' | 'rows' | 'payments'> {
  readonly version: typeof STATE_VERSION;
  /** Null if they are the rates of the terms. */
  readonly rates: RateTimeline | null;
  readonly rows: readonly OpenRow[] | null;
  readonly payments: readonly PaymentState[];
}

/**
 * 2: interest is two numbers. 3: totals of advances and refunds. 4: the rule of due dates in force. 5: caps by due date. 6: steps of a
 * freezing. 7: days of military service. 8: the origination fee of coming rows. 9: refunds of overpaid money. 10: holders of the
 * thresholds. 11: money in advance that went to late fees.
 */
const STATE_VERSION = 11;

export function encodeState(state: LedgerState): EncodedState {
  const { terms, watcher, seconds, source, rateIndex, firstUnenforced, digestedObligations, digestedPayments, ...plain } =
    cloneState(state);
  return {
    ...plain,
    version: STATE_VERSION,
    rates: state.rates === terms.rates ? null : state.rates,
    rows: state.rows === terms.rows ? null : state.rows,
    payments: [...state.payments],
  };
}

/** Decodes a state, which can then move on. Throws if the snapshot has another version: callers must check that. */
export function decodeState(encoded: EncodedState, terms: LedgerTerms): LedgerState {
  assert(encoded.version === STATE_VERSION, `a ledger state of version ${encoded.version}`);
  const { version, rates, rows, payments, ...plain } = encoded;
  return cloneState({
    ...plain,
    terms,
    watcher: null,
    seconds: 0,
    source: { type: 'dailyJob' },
    rateIndex: 0,
    firstUnenforced: 0,
    rates: rates ?? terms.rates,
    rows: rows ?? terms.rows,
    payments: PaymentList.of(payments),
    digestedObligations: NOTHING_DIGESTED,
    digestedPayments: NOTHING_DIGESTED,
  });
}
