import type { Migration, PreparedActivity } from './migration.js';

type Part = readonly [kind: string, externalId: string, id: string];

interface Named {
  readonly id: string;
  readonly externalId?: string | null;
}

/** Where a fact that makes something with an external id names it. */
const NAMED: Readonly<Record<string, readonly [kind: string, of: (body: never) => Named]>> = {
  TransactionCreated: ['transaction', ({ transaction }: { readonly transaction: Named }) => transaction],
  FeeCharged: ['loanFee', ({ details }: { readonly details: Named }) => details],
  FeeScheduled: ['loanFee', ({ details }: { readonly details: Named }) => details],
  PaymentPlanCreated: ['paymentPlan', ({ plan }: { readonly plan: Named }) => plan],
  AdvanceMade: ['advance', ({ advance }: { readonly advance: Named }) => advance],
};

/** External ids that what was prepared has taken. */
export const preparedParts = (migration: Migration | null): readonly Part[] => {
  if (migration === null) return NONE;
  const kept = partsKept.get(migration) ?? partsIn(migration);
  partsKept.set(migration, kept);
  return kept;
};

/** A migration is never changed, only replaced. */
const partsKept = new WeakMap<Migration, readonly Part[]>();

const partsIn = (migration: Migration): readonly Part[] => {
  const { pastTransactions = [], pastFees = [] } = migration.line ?? {};
  return [
    ...migration.prepared.flatMap(partOf),
    ...pastTransactions.flatMap((past) => partNamed('transaction', past)),
    ...pastFees.flatMap((past) => partNamed('loanFee', past)),
  ];
};

function partOf({ type, body }: PreparedActivity): readonly Part[] {
  const named = NAMED[type];
  if (named === undefined) return NONE;
  const [kind, of] = named;
  return partNamed(kind, of(body as never));
}

const partNamed = (kind: string, { id, externalId }: Named): readonly Part[] => (externalId == null ? NONE : [[kind, externalId, id]]);

const NONE: readonly Part[] = [];
