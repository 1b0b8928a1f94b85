import { type Cents, type Day, formatDay } from '../../../engine/index.js';
import { refuseProperty } from '../../errors.js';
import type { Declaration } from '../../kernel/resources/index.js';
import { recordsOf, type ResourceHost } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import {
  amount,
  type AnyId,
  centsOf,
  dateText,
  type DateText,
  type DateTimeText,
  dayOfText,
  orNull,
  type SignedAmount,
} from '../../wire.js';
import { companyZone } from '../directory.js';
import type { CompanyState } from '../state.js';
import { fundingInstrumentsOf } from './funding-instrument.js';

/** What an account of the lender held on a day. */
interface FundingBalance {
  readonly fundingInstrumentId: string;
  readonly balanceDay: Day;
  readonly availableCents: Cents | null;
  readonly currentCents: Cents;
  readonly source: 'bankFile' | 'manual' | 'bankLink';
}

export interface FundingBalanceCreateBody {
  readonly fundingInstrumentId: AnyId;
  readonly balanceDate: DateText;
  readonly availableAmount?: SignedAmount | null;
  readonly currentAmount: SignedAmount;
}

export interface FundingBalanceQuery extends PageQuery {
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

export interface FundingBalanceView {
  readonly id: string;
  readonly object: 'fundingAccountBalance';
  readonly companyId: string;
  readonly paymentProcessorId: string;
  readonly fundingInstrumentId: string;
  readonly balanceDate: DateText;
  readonly availableAmount: SignedAmount | null;
  readonly currentAmount: SignedAmount;
  readonly source: 'bankFile' | 'manual' | 'bankLink';
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** Balances are recorded and never changed: a later one of the same day is a newer record. */
export const FUNDING_BALANCE: Declaration<FundingBalanceCreateBody, Record<string, never>, FundingBalance, CompanyState> = {
  type: 'fundingAccountBalance',
  prefix: 'FB',
  param: 'fundingAccountBalanceId',
  parent: {
    param: 'paymentProcessorId',
    noun: 'payment processor',
    exists: (host, id) => recordsOf(host, 'paymentProcessor').has(id),
  },
  unique: [],
  create({ fundingInstrumentId, balanceDate, availableAmount, currentAmount }, { host, env, command }) {
    const known = fundingInstrumentsOf(host, command.params['paymentProcessorId'] ?? '');
    const named = known.find(({ id, stored }) => id === fundingInstrumentId || `ext-${stored.externalId ?? ''}` === fundingInstrumentId);
    if (named === undefined)
      return refuseProperty('fundingInstrumentId', 'a funding instrument of the processor', 'There is no such funding instrument.');
    const today = dateText(env.today(companyZone(host)));
    if (balanceDate > today && command.actor.type !== 'system')
      refuseProperty('balanceDate', `${today} or earlier`, 'The balance of a day that is to come is not known.');
    return {
      fundingInstrumentId: named.id,
      balanceDay: dayOfText(balanceDate),
      availableCents: orNull(centsOf, availableAmount),
      currentCents: centsOf(currentAmount),
      source: command.actor.type === 'system' ? 'bankFile' : 'manual',
    };
  },
  change: (before) => before,
  matches({ stored }, { fromDate, toDate }: FundingBalanceQuery) {
    const date = formatDay(stored.balanceDay);
    return (fromDate === undefined || date >= fromDate) && (toDate === undefined || date <= toDate);
  },
  view: ({ fundingInstrumentId, balanceDay, availableCents, currentCents, source }, { parentId }) => ({
    paymentProcessorId: parentId ?? '',
    fundingInstrumentId,
    balanceDate: dateText(balanceDay),
    availableAmount: orNull(amount, availableCents),
    currentAmount: amount(currentCents),
    source,
  }),
};

/** The newest balance of an account of a day before that no statement has stated; null where none was recorded. */
export function recordedBalance(host: ResourceHost, fundingInstrumentId: string, before: Day): Cents | null {
  let newest: FundingBalance | null = null;
  for (const { stored } of recordsOf<FundingBalance>(host, FUNDING_BALANCE.type).values()) {
    if (stored.fundingInstrumentId !== fundingInstrumentId || stored.source === 'bankFile' || stored.balanceDay >= before) continue;
    if (newest === null || stored.balanceDay >= newest.balanceDay) newest = stored;
  }
  return newest?.currentCents ?? null;
}
