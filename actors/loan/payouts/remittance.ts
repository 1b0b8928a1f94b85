import { type Cents, cents, type Day, sum, ZERO } from '../../../engine/index.js';
import { companyOf, merchantOf } from '../../company/index.js';
import type { CatalogRow, QueryEnv, QueryOf, QuerySpec } from '../../kernel/actor.js';
import { refuse } from '../../errors.js';
import type { PageQuery } from '../../list-order.js';
import { amount, type DateText, dateText, dayOfText, type SignedAmount } from '../../wire.js';
import { recordOf } from '../context.js';
import { newestFirst } from '../newest-first.js';
import type { LoanState } from '../state.js';
import { payoutsOf } from './payouts.js';

/** What an entry of a merchant is: the first two make up the payout at activation, with what is held back of it. */
type RemittanceEntryType = 'financed' | 'discount' | 'reserveHeld' | 'reserveReleased' | 'refundsNetted' | 'paid' | 'returned';

/** Money of a merchant for one loan. Their sum is what it is still to get. */
export interface RemittanceEntryView {
  readonly id: string;
  readonly object: 'merchantRemittanceEntry';
  readonly merchantId: string;
  readonly loanId: string;
  readonly loanExternalId: string | null;
  readonly type: RemittanceEntryType;
  readonly date: DateText;
  /** Above zero: in favor of the merchant. */
  readonly amount: SignedAmount;
}

export interface RemittanceQuery extends PageQuery {
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
  /** `csv`: all entries, as a file. */
  readonly format?: 'json' | 'csv';
}

interface Entry {
  readonly type: RemittanceEntryType;
  readonly day: Day;
  readonly amountCents: Cents;
}

/** The entries of a loan whose goods a merchant has sold, as they came. Their sum is what is open of the payout at activation. */
function entriesOf(state: LoanState, env: QueryEnv): readonly Entry[] {
  const { servicing, merchantDiscount, migration, parties, payouts } = state;
  // A loan of another system was paid out there.
  if (servicing === null || migration !== null) return [];
  const { activation } = servicing.contract.terms;
  const entry = (type: RemittanceEntryType, day: Day, amountCents: number): readonly Entry[] =>
    amountCents === 0 ? [] : [{ type, day, amountCents: cents(amountCents) }];
  const { held, releases = [] } = parties.merchantReserve ?? {};
  const kept = [
    ...entry('discount', activation, -(merchantDiscount?.amountCents ?? ZERO)),
    ...entry('reserveHeld', activation, -(held?.amountCents ?? ZERO)),
    ...releases.flatMap(({ amountCents, nettedCents, recordedDay }) => [
      ...entry('reserveReleased', recordedDay, amountCents),
      ...entry('refundsNetted', recordedDay, -nettedCents),
    ]),
  ];
  const sent = payoutsOf(state, env, env.today(recordOf(state).zone)).find(({ number }) => number === 0)?.amountCents ?? ZERO;
  const moved = payouts.filter(({ payout }) => payout === 0);
  return [
    ...entry('financed', activation, sent - sum(kept.map(({ amountCents }) => amountCents))),
    ...kept,
    ...moved.flatMap(({ type, day, amountCents }) =>
      type === 'booked' ? entry('paid', day, -amountCents) : entry('returned', day, amountCents),
    ),
  ];
}

/** For `GET /companies/{companyId}/merchants/{merchantId}/remittance`: the newest loans first, and of a loan the entries as they came. */
export const merchantRemittance: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.merchantRemittance',
  on: 'tenant',
  read({ query: asked, request, env }: QueryOf<RemittanceQuery>) {
    const anyId = request.params['merchantId'] ?? '';
    const merchant = merchantOf(companyOf(env, env.tenant), anyId) ?? refuse('notFound', `There is no merchant ${anyId}.`);
    const { externalId } = merchant.stored;
    const names = new Set([merchant.id, ...(externalId === null ? [] : [`ext-${externalId}`])]);
    const { rows } = env.list('loan', {
      matches: ({ fields }) => [fields['merchants'] ?? []].flat().some((id) => names.has(String(id))),
      limit: Number.MAX_SAFE_INTEGER,
    });
    const numbered = ({ id, createdStamp }: CatalogRow): readonly Numbered[] => {
      const loan = env.read<LoanState>('loan', id);
      if (loan === undefined || !names.has(loan.record?.atOrigination.merchantId ?? '')) return [];
      return entriesOf(loan, env).map((entry, at) => ({ id: `${id}-R${at + 1}`, createdStamp, loan, entry }));
    };
    return newestFirst(rows, asked, {
      stampOf: ({ createdStamp }) => createdStamp,
      countOf: null,
      partsOf: (row) =>
        numbered(row)
          .filter(({ entry }) => isAsked(entry, asked))
          .map((one) => ({ ...one, view: () => entryView(one, merchant.id) })),
      named: (cursor) => {
        const row = rows.find(({ id }) => cursor.startsWith(`${id}-R`));
        return row && numbered(row).find(({ id }) => id === cursor);
      },
    });
  },
};

/** An entry with the number that it has on its loan. */
interface Numbered {
  readonly id: string;
  readonly createdStamp: number;
  readonly loan: LoanState;
  readonly entry: Entry;
}

const isAsked = ({ day }: Entry, { fromDate, toDate }: RemittanceQuery): boolean =>
  (fromDate === undefined || day >= dayOfText(fromDate)) && (toDate === undefined || day <= dayOfText(toDate));

const entryView = ({ id, loan: { id: loanId, record }, entry }: Numbered, merchantId: string): RemittanceEntryView => ({
  id,
  object: 'merchantRemittanceEntry',
  merchantId,
  loanId,
  loanExternalId: record?.externalId ?? null,
  type: entry.type,
  date: dateText(entry.day),
  amount: amount(entry.amountCents),
});
