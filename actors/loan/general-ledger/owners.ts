import { type Day, dayAt, generalLedger, must, ownershipSpans, RATE_ONE, rate } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { recordOf } from '../context.js';
import { firstOwnersOf, type LoanOwner } from '../owners/index.js';
import { isPaid } from '../remittances/owed.js';
import type { RecordedRemittanceStatus, Remittance } from '../remittances/index.js';
import type { LoanState } from '../state.js';

/** New owners as a fact that the books know. */
export interface BookedOwners {
  readonly effectiveDay: Day | null;
  readonly owners: readonly generalLedger.ShareOwner[];
  readonly cause: generalLedger.Cause;
}

/** What the books of a loan with several owners know beside its ledger, with the day on which it was recorded. */
export interface OwnersFact {
  readonly recordedDay: Day;
  readonly cause: generalLedger.Cause;
  readonly fact: null;
  readonly items: readonly generalLedger.CourseItem[];
  readonly newOwners?: BookedOwners;
}

/** Whether somebody beside the lender has ever owned a share of the loan. */
export const isOwned = ({ record, parties }: LoanState): boolean =>
  (record?.atOrigination.investors ?? []).length > 0 || parties.ownerChanges.length > 0;

/** The owners with which the loan was made. */
export const firstOwners = (state: LoanState, env: EvolveEnv, cause: generalLedger.Cause): readonly BookedOwners[] =>
  firstOwnersOf(state, env).map(({ effectiveDay, owners }) => ({ effectiveDay, owners: owners.map(ownerOf), cause }));

const ownerOf = ({ investorId, share, priceRatio = rate(RATE_ONE) }: LoanOwner): generalLedger.ShareOwner => ({
  investor: investorId,
  share,
  priceRatio,
});

/** Who owned the loan when, as these facts say. */
export function ownershipIn(changes: readonly BookedOwners[]): readonly generalLedger.OwnersFrom[] {
  const causes = new Map(changes.map(({ owners, cause }) => [owners, cause]));
  return ownershipSpans(changes).map((span) => ({ ...span, cause: must(causes.get(span.owners), 'owners have a cause') }));
}

/** Changes of owners. */
export const ownerChanges = ({ id, parties }: LoanState, zone: string): readonly OwnersFact[] =>
  parties.ownerChanges.map(({ owners, effectiveDay, recordedAt, caseId }) => {
    const cause: generalLedger.Cause = {
      factId: `${id}-${owners[0]?.id ?? ''}-owners`,
      factType: 'ownersChanged',
      recordedAt,
      ...(caseId === null ? {} : { caseId }),
    };
    const newOwners = { effectiveDay, owners: owners.map(ownerOf), cause };
    return { recordedDay: dayAt(zone, recordedAt), cause, fact: null, items: [], newOwners };
  });

/** The last day on which the books of a loan take something of its owners; null: none. */
export function lastOwnersDay(state: LoanState): Day | null {
  const { zone } = recordOf(state);
  const { ownerChanges: changes, remittances, remittanceStatuses = [] } = state.parties;
  const days = [...changes, ...remittances, ...remittanceStatuses].map(({ recordedAt }) => dayAt(zone, recordedAt));
  return days.reduce<Day | null>((last, day) => (last === null || day > last ? day : last), null);
}

const OUT: generalLedger.Account = { role: 'clearingOutgoing' };
const BANK: generalLedger.Account = { role: 'bank' };
const FEES: generalLedger.Account = { role: 'servicingIncome' };

/** What settlements pay to the other owners. What is settled with the lender itself moves nothing. */
export function settlementFacts(state: LoanState, env: EvolveEnv, lender: string | null): readonly OwnersFact[] {
  const { remittances, remittanceStatuses = [] } = state.parties;
  const { zone } = recordOf(state);
  return [
    ...remittances.filter(({ investorId }) => investorId !== lender).flatMap((remittance) => paidEarlier(state, env, remittance)),
    ...remittanceStatuses.filter(({ investorId }) => investorId !== lender).map((status) => statusFact(state, zone, status)),
  ];
}

/**
 * A settlement of an earlier release, whose transfer nobody has recorded: it has paid when its lines were recorded, unless it had failed or
 * was canceled before its failure could be recorded.
 */
function paidEarlier(state: LoanState, env: EvolveEnv, remittance: Remittance): readonly OwnersFact[] {
  const { settlementId, recordedAt, isTransferRecorded = false } = remittance;
  const { remittanceStatuses = [] } = state.parties;
  const isFollowed = remittanceStatuses.some((known) => known.settlementId === settlementId);
  if (isTransferRecorded || (!isFollowed && !isPaid(env, settlementId))) return [];
  const cause: generalLedger.Cause = { factId: transferId(state, settlementId), factType: 'paymentsRemitted', recordedAt };
  const day = dayAt(recordOf(state).zone, recordedAt);
  const amounts = amountsOf([remittance]);
  return [factOf(cause, day, [...sent(remittance.investorId, amounts, 1), ...arrived(amounts)])];
}

function statusFact(state: LoanState, zone: string, changed: RecordedRemittanceStatus): OwnersFact {
  const { settlementId, investorId, status, pays, recordedAt } = changed;
  const { remittances, remittanceStatuses = [] } = state.parties;
  const cause: generalLedger.Cause = { factId: transferId(state, settlementId), factType: 'remittanceStatusChanged', recordedAt };
  const day = dayAt(zone, recordedAt);
  const before = remittanceStatuses.slice(0, remittanceStatuses.indexOf(changed));
  const was = (earlier: RecordedRemittanceStatus['status']): boolean =>
    before.some((known) => known.settlementId === settlementId && known.status === earlier);
  const paid = remittances.filter((remittance) => pays.includes(remittance.settlementId));
  const isOfEarlierRelease = paid.some((remittance) => remittance.settlementId === settlementId && remittance.isTransferRecorded !== true);
  const amounts = amountsOf(paid);
  switch (status) {
    case 'initiated':
      return factOf(cause, day, isOfEarlierRelease ? [] : sent(investorId, amounts, 1));
    case 'succeeded':
      return factOf(cause, day, isOfEarlierRelease ? [] : arrived(amounts));
    case 'failed':
    case 'canceled': {
      const hasLeft = isOfEarlierRelease || was('initiated');
      const hasArrived = isOfEarlierRelease || was('succeeded');
      return factOf(cause, day, [...(hasArrived ? cameBack(amounts) : []), ...(hasLeft ? sent(investorId, amounts, -1) : [])]);
    }
  }
}

/** All statuses of a transfer are one fact to the books, so that its arrival meets its own amount in the account of passage. */
const transferId = ({ id }: LoanState, settlementId: string): string => `${id}-${settlementId}-transfer`;

const factOf = (cause: generalLedger.Cause, day: Day, events: readonly generalLedger.AccountingEvent[]): OwnersFact => ({
  recordedDay: day,
  cause,
  fact: null,
  items: events.map((event) => ({ cause, day, isDaily: false, event })),
});

interface Amounts {
  readonly transferred: number;
  /** Fees that are kept from the proceeds. */
  readonly fee: number;
}

function amountsOf(remittances: readonly Remittance[]): Amounts {
  let [gross, fee] = [0, 0];
  for (const line of remittances.flatMap(({ lines }) => lines)) {
    gross += line.principalCents + line.interestCents + line.feesCents;
    fee += line.processingFeeCents;
  }
  return { transferred: gross - fee, fee };
}

type Moved = Extract<generalLedger.AccountingEvent, { readonly type: 'moved' }>;

const moved = (rule: Moved['rule'], amount: number, from: generalLedger.Account, to: generalLedger.Account): Moved => ({
  type: 'moved',
  rule,
  amount,
  from,
  to,
});

/** The transfer and the fee are taken from what is owed to the investor, or are owed again. */
const sent = (investor: string, { transferred, fee }: Amounts, sign: 1 | -1): readonly Moved[] => {
  const payable: generalLedger.Account = { role: 'investorPayable', dimensions: { investor } };
  const rule = sign > 0 ? 'settlement' : 'settlementFailed';
  return [moved('servicingFee', sign * fee, FEES, payable), moved(rule, sign * transferred, OUT, payable)];
};

const arrived = ({ transferred }: Amounts): readonly Moved[] => [moved('payoutSettledAtBank', transferred, BANK, OUT)];

const cameBack = ({ transferred }: Amounts): readonly Moved[] => [moved('settlementReturned', -transferred, BANK, OUT)];
