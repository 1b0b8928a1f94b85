import type { tags } from 'typia';
import { type generalLedger, must } from '../../../engine/index.js';
import { type Fault, refuse, Refusal } from '../../errors.js';
import type { CommandContext, CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { changed, recordsOf, type ResourceCreated, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import { matching, pageOf, type PageQuery } from '../../list-order.js';
import { type DateTimeText, dateTimeText, type ExternalId, orNull, type ShortText } from '../../wire.js';
import type { CompanyState } from '../state.js';
import { accountNamed, accountsOf, LEDGER_ACCOUNT, type LedgerAccount, type StoredAccount } from './chart.js';
import { mappingsWith } from './mappings.js';

type AccountType = generalLedger.AccountType;
type Role = generalLedger.Role;
type Side = generalLedger.Side;

type AccountRecord = ResourceRecord<StoredAccount>;

export interface LedgerAccountCreateBody {
  readonly number: ShortText & tags.MinLength<1> & tags.Pattern<'^[A-Za-z0-9][A-Za-z0-9 ._-]*$'>;
  readonly name: ShortText & tags.MinLength<1>;
  readonly type: AccountType;
  /** The side on which its balance normally stands; default by its type. */
  readonly normalBalance?: Side;
  readonly externalId?: ExternalId | null;
}

export interface LedgerAccountUpdateBody {
  readonly number?: ShortText & tags.MinLength<1> & tags.Pattern<'^[A-Za-z0-9][A-Za-z0-9 ._-]*$'>;
  readonly name?: ShortText & tags.MinLength<1>;
  readonly externalId?: ExternalId | null;
}

export interface LedgerAccountListQuery extends PageQuery {
  readonly type?: AccountType;
  readonly status?: 'active' | 'archived';
}

export interface LedgerAccountView {
  readonly id: string;
  readonly object: 'generalLedgerAccount';
  readonly companyId: string;
  readonly number: string;
  readonly name: string;
  readonly type: AccountType;
  readonly normalBalance: Side;
  /** It stands on the other side than its type. */
  readonly isContra: boolean;
  /** The role that it stands for in the default mapping; null for an account that was added. */
  readonly role: Role | null;
  readonly externalId: string | null;
  readonly status: 'active' | 'archived';
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const sideOf = (type: AccountType): Side => (type === 'asset' || type === 'expense' || type === 'memorandum' ? 'debit' : 'credit');

/** An account of the default chart is a record once it was changed. */
function recordOf(company: CompanyState, { id, ...stored }: LedgerAccount): AccountRecord {
  const record = recordsOf<StoredAccount>(company, LEDGER_ACCOUNT).get(id);
  return record ?? { id, parentId: null, createdAt: company.createdAt, updatedAt: null, stored };
}

function accountView(company: CompanyState, account: LedgerAccount): LedgerAccountView {
  const { createdAt, updatedAt } = recordOf(company, account);
  const { id, number, name, type, side, role, externalId, status } = account;
  return {
    id,
    object: 'generalLedgerAccount',
    companyId: company.id,
    number,
    name,
    type,
    normalBalance: side,
    isContra: side !== sideOf(type),
    role,
    externalId,
    status,
    createdAt: dateTimeText(createdAt),
    updatedAt: orNull(dateTimeText, updatedAt),
    deletedAt: null,
  };
}

function accountOfPath(state: CompanyState, params: Readonly<Record<string, string>>): LedgerAccount {
  const id = params['accountId'] ?? '';
  return accountNamed(state, id) ?? refuse('notFound', `There is no account ${id}.`);
}

const getAccount: QuerySpec<CompanyState> = {
  kind: 'company',
  type: 'generalLedgerAccount.get',
  on: 'target',
  read: ({ state, request }) => accountView(state, accountOfPath(state, request.params)),
};

const listAccounts: QuerySpec<CompanyState, LedgerAccountListQuery> = {
  kind: 'company',
  type: 'generalLedgerAccount.list',
  on: 'target',
  read({ state, query: { type, status, ...page } }) {
    const all = [...accountsOf(state).values()].sort((a, b) => (a.number < b.number ? -1 : Number(a.number > b.number)));
    const wanted = matching(
      all,
      (account) => (type === undefined || account.type === type) && (status === undefined || account.status === status),
    );
    return pageOf(
      wanted,
      page,
      (account) => accountView(state, account),
      ({ externalId }) => externalId,
    );
  },
};

export const accountQueries: readonly QuerySpec<CompanyState>[] = [getAccount, listAccounts];

type Context<Body> = CommandContext<CompanyState, Body>;

function onAccount<Body>(
  verb: string,
  decide: (context: Context<Body>) => { readonly id: string; readonly facts: readonly FactDraft[] },
): CommandSpec<CompanyState> {
  return {
    kind: 'company',
    type: `generalLedgerAccount.${verb}`,
    place: { on: 'target' },
    catchesUp: false,
    decide(context: Context<Body>) {
      const { id, facts } = decide(context);
      return { facts, reply: (after) => ({ data: accountView(after, must(accountsOf(after).get(id), id)) }) };
    },
  };
}

export const accountCommands: readonly CommandSpec<CompanyState>[] = [
  onAccount<LedgerAccountCreateBody>('create', ({ state, env, body }) => {
    const { number, name, type, normalBalance = sideOf(type), externalId = null } = body;
    const id = env.newId('GA');
    const stored: StoredAccount = { number, name, type, side: normalBalance, role: null, externalId, status: 'active' };
    refuseTaken(state, id, stored);
    return { id, facts: [created(id, stored)] };
  }),
  onAccount<LedgerAccountUpdateBody>('update', (context) => {
    const account = accountOfPath(context.state, context.command.params);
    const { id, ...before } = account;
    const stored: StoredAccount = { ...before, ...context.body };
    refuseTaken(context.state, id, stored);
    return { id, facts: [written(context.state, account, stored)] };
  }),
  onAccount('delete', (context) => {
    const account = accountOfPath(context.state, context.command.params);
    const { id, ...before } = account;
    if (account.status === 'archived') return { id, facts: [] };
    const naming = mappingsWith(context.state, id);
    if (naming.length > 0) refuse('invalidState', `The account ${account.number} is named by the mapping ${naming.join(', ')}.`);
    return { id, facts: [written(context.state, account, { ...before, status: 'archived' })] };
  }),
];

const created = (id: string, stored: StoredAccount): FactDraft => {
  const body: ResourceCreated = { resource: LEDGER_ACCOUNT, id, parentId: null, stored };
  return { type: 'ResourceCreated', body };
};

const written = (company: CompanyState, account: LedgerAccount, stored: StoredAccount): FactDraft =>
  recordsOf(company, LEDGER_ACCOUNT).has(account.id)
    ? changed(LEDGER_ACCOUNT, recordOf(company, account), stored)
    : created(account.id, stored);

function refuseTaken(host: ResourceHost, ownId: string, stored: StoredAccount): void {
  const faults: Fault[] = [];
  const taken = (path: string): void => void faults.push({ path, expected: 'a value that is not in use', message: 'is already in use' });
  const others = [...accountsOf(host).values()].filter(({ id, status }) => id !== ownId && status === 'active');
  if (others.some(({ number }) => number === stored.number)) taken('number');
  if (stored.externalId !== null && others.some(({ externalId }) => externalId === stored.externalId)) taken('externalId');
  if (faults.length > 0) throw new Refusal('duplicate', 'Another account has it already.', { errors: faults });
}
