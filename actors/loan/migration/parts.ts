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
  AdvanceMade: ['advance', ({ advance }: { readonly advance: Named }) => advance],
};

/** External ids that what was prepared has taken. */
export const preparedParts = (migration: Migration | null): readonly Part[] => {
  if (migration === null) return NONE;
  const past = migration.line?.pastTransactions ?? [];
  return [...migration.prepared.flatMap(partOf), ...past.flatMap(({ id, externalId }) => (externalId === null ? NONE : [['transaction', externalId, id] as const]))];
};

function partOf({ type, body }: PreparedActivity): readonly Part[] {
  const named = NAMED[type];
  if (named === undefined) return NONE;
  const [kind, of] = named;
  const { id, externalId } = of(body as never);
  return externalId == null ? NONE : [[kind, externalId, id]];
}

const NONE: readonly Part[] = [];
