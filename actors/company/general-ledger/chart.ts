import { generalLedger } from '../../../engine/index.js';
import { recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';

type AccountType = generalLedger.AccountType;
type Role = generalLedger.Role;
type Side = generalLedger.Side;

export const LEDGER_ACCOUNT = 'generalLedgerAccount';

export interface StoredAccount {
  /** As the lender's books number it. */
  readonly number: string;
  readonly name: string;
  readonly type: AccountType;
  readonly side: Side;
  /** The role that it was made for; null: the lender has added it. */
  readonly role: Role | null;
  readonly externalId: string | null;
  readonly status: 'active' | 'archived';
}

export interface LedgerAccount extends StoredAccount {
  readonly id: string;
}

/** The id of an account of the default chart: the same in every company. */
export const defaultAccountId = (number: string): string => `GA-0000-${number}`;

const DEFAULTS: readonly (StoredAccount & { readonly id: string })[] = generalLedger.DEFAULT_CHART.map(
  ({ number, name, type, side, role }) => ({
    id: defaultAccountId(number),
    number,
    name,
    type,
    side,
    role,
    externalId: null,
    status: 'active',
  }),
);

const charts = new WeakMap<ReadonlyMap<string, ResourceRecord>, ReadonlyMap<string, LedgerAccount>>();

/** All accounts by id, those of the default chart first. Maps of records are replaced and never changed, so each is looked at once. */
export function accountsOf(host: ResourceHost): ReadonlyMap<string, LedgerAccount> {
  const records = recordsOf<StoredAccount>(host, LEDGER_ACCOUNT);
  const known = charts.get(records);
  if (known !== undefined) return known;
  const accounts = new Map<string, LedgerAccount>(DEFAULTS.map((account) => [account.id, account]));
  for (const { id, stored } of records.values()) accounts.set(id, { id, ...stored });
  charts.set(records, accounts);
  return accounts;
}

/** By service id or `ext-` id. */
export function accountNamed(host: ResourceHost, anyId: string): LedgerAccount | undefined {
  const accounts = accountsOf(host);
  if (!anyId.startsWith('ext-')) return accounts.get(anyId);
  for (const account of accounts.values()) if (account.externalId === anyId.slice(4)) return account;
  return undefined;
}
