import { type ListResult, Refusal } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import type { CallContext } from '../call-context.js';
import { isOpen, type Reply, type Route } from '../routing/route.js';

/**
 * How far a route is open to somebody who sees the loans of some investors alone.
 * `plain`: it tells of no loan. `narrowed`: the engine lists and finds what is seen alone. `people`: a list of borrowers. `borrower`: of a
 * borrower one of whose loans is seen, or who has none. `wholeBorrower`: all of whose loans are seen. `loan`: of a loan that is seen.
 * `closed`: refused, since it tells of loans that cannot be told apart (streams, reports, mass work, webhooks), or could lift the limit
 * (users, roles, keys, employees).
 */
export type RouteKind = 'plain' | 'narrowed' | 'people' | 'borrower' | 'wholeBorrower' | 'loan' | 'closed';

interface Rule {
  readonly kind: RouteKind;
  readonly methods?: ReadonlySet<string>;
  readonly path: RegExp;
}

const READS: ReadonlySet<string> = new Set(['GET']);
const CONFIGURATION =
  'case-types?|do-not-interact-types|notification-types|workflow-types|loan-types|teams|event-types|verification-types|verification-questions|permissions|roles';
const OF_COMPANY = 'app-domains|loan-labels|compliance/rules|compliance/business-rules|loan-types|sending-domains|sending-numbers';
/** What belongs to the person alone. */
const PERSONAL = 'names|identity|identities|contacts|consents|legal-representatives';

/** The first rule that fits holds; a route that none fits is closed. */
const RULES: readonly Rule[] = [
  { kind: 'plain', path: /^\/auth\/(token|token\/short-lived|password|permissions)$/ },
  { kind: 'plain', path: /^\/(users\/me|tasktype-availability|workers\/me\/activity)$/ },
  { kind: 'plain', path: /^\/utilities\// },
  { kind: 'plain', methods: READS, path: new RegExp(`^/(${CONFIGURATION})(/|$)`) },
  { kind: 'plain', methods: READS, path: new RegExp(`^/companies(/\\{companyId\\}(/(${OF_COMPANY})(/|$)|$)|$)`) },
  { kind: 'plain', methods: READS, path: /^\/(compliance\/rules|communicator\/template)/ },
  { kind: 'people', methods: READS, path: /^\/people(\/search)?$/ },
  { kind: 'plain', methods: new Set(['POST']), path: /^\/people$/ },
  { kind: 'narrowed', methods: READS, path: /^\/(loans|cases|cases\/\{caseId\}|transactions|promise-to-pay-plans)$/ },
  { kind: 'loan', path: /^\/people\/\{personId\}\/loans\/\{loanId\}(\/|$)/ },
  { kind: 'loan', methods: READS, path: /^\/loans\/\{loanId\}\/events$/ },
  { kind: 'borrower', path: /^\/people\/\{personId\}\/loans$/ },
  { kind: 'borrower', methods: new Set(['GET', 'PUT']), path: /^\/people\/\{personId\}$/ },
  { kind: 'borrower', path: new RegExp(`^/people/\\{personId\\}/(${PERSONAL})(/|$)`) },
  { kind: 'closed', path: /^\/people\/\{personId\}\/user$/ },
  { kind: 'wholeBorrower', path: /^\/people\/\{personId\}(\/|$)/ },
];

/** Files, sheets and streams go on, or out of hand. */
const OUT_OF_HAND: ReadonlySet<Route['envelope']> = new Set(['csv', 'events', 'socket']);

export function kindOfRoute({ path, method, permission, envelope }: Pick<Route, 'path' | 'method' | 'permission' | 'envelope'>): RouteKind {
  if (OUT_OF_HAND.has(envelope)) return 'closed';
  const rule = RULES.find((each) => each.path.test(path) && each.methods?.has(method) !== false);
  return rule?.kind ?? (isOpen(permission) ? 'plain' : 'closed');
}

/**
 * The call of somebody who sees the loans of some investors alone, where the table of routes allows it. Lists are narrowed by
 * the engine, which is told whose loans they are; what a path or a body names is looked up here first, so that a hidden loan or borrower
 * is not there for whatever is asked of it.
 */
export async function withinInvestors(route: Route, call: CallContext): Promise<Reply> {
  const kind = kindOfRoute(route);
  if (kind === 'closed')
    throw new Refusal('permissionDenied', 'An employee of some investors alone may not do this.', {
      extra: { permission: route.permission },
    });
  await assertSeen(kind, call);
  const reply = await route.handle(call);
  return kind === 'people' ? ofSeenPeople(call, reply) : reply;
}

async function assertSeen(kind: ReturnType<typeof kindOfRoute>, call: CallContext): Promise<void> {
  const { personId, loanId } = call.params;
  if (personId !== undefined) {
    const seen = await loansSeen(call, personId);
    // What lies beside the loans of a borrower may tell of each of them.
    if (!seen.some || (kind === 'wholeBorrower' && !seen.all)) throw new Refusal('notFound', `There is no borrower ${personId}.`);
  }
  if (loanId !== undefined) await assertLoan(call, loanId);
  for (const named of [...loansNamedIn(call.query), ...loansNamedIn(call.body)]) await assertLoan(call, named);
  for (const named of [...peopleNamedIn(call.query), ...peopleNamedIn(call.body)]) {
    if (!(await loansSeen(call, named)).some) throw new Refusal('notFound', `There is no borrower ${named}.`);
  }
}

interface Seen {
  /** One of its loans, or it has none. */
  readonly some: boolean;
  readonly all: boolean;
}

/** Throws `notFound` for what is no borrower. Loans that a borrower is on beside another count, wherever they lie. */
async function loansSeen(call: CallContext, personId: string): Promise<Seen> {
  const { company, mode, permissions, investorIds } = call.caller;
  const request = { company, mode, permissions, type: 'loan.listOfPerson', target: null, params: { personId }, query: { limit: 1 } };
  const all = (await call.engine.query(request)) as ListResult;
  const seen = (await call.engine.query({ ...request, investorIds: must(investorIds, 'they are known') })) as ListResult;
  return { some: all.total === 0 || seen.total !== 0, all: all.total === seen.total };
}

async function assertLoan(call: CallContext, loanId: string): Promise<void> {
  const { company, mode, permissions, investorIds } = call.caller;
  await call.engine.query({
    company,
    mode,
    permissions,
    investorIds: must(investorIds, 'they are known'),
    type: 'loan.get',
    target: loanId,
    params: {},
    query: {},
  });
}

/** A list looks at the loans that lie beside a borrower; those that it is on elsewhere in a cluster are asked for here. */
async function ofSeenPeople(call: CallContext, reply: Reply): Promise<Reply> {
  const list = reply.data as ListResult<{ readonly id: string }>;
  const seen = await Promise.all(list.items.map(async ({ id }) => (await loansSeen(call, id)).some));
  const hidden = new Set(list.items.filter((_item, at) => seen[at] !== true).map(({ id }) => id));
  if (hidden.size === 0) return reply;
  const { search } = (reply.extra ?? {}) as { readonly search?: { readonly hits: readonly { readonly id: string }[] } };
  const data = {
    ...list,
    items: list.items.filter(({ id }) => !hidden.has(id)),
    total: list.total === null ? null : list.total - hidden.size,
  };
  if (search === undefined) return { ...reply, data };
  return {
    ...reply,
    data,
    extra: {
      ...reply.extra,
      search: { ...search, total: { value: data.total, relation: 'eq' }, hits: search.hits.filter(({ id }) => !hidden.has(id)) },
    },
  };
}

const LOAN_NAMES = /^(loanIds?|toLoanId|fromLoanId)$|LoanIds?$/;
const PERSON_NAMES = /^(personIds?|borrowerIds?)$|(Person|Borrower)Ids?$/;

const loansNamedIn = (content: unknown): ReadonlySet<string> => new Set(namedIn(content, LOAN_NAMES, /^LN-/));
const peopleNamedIn = (content: unknown): ReadonlySet<string> => new Set(namedIn(content, PERSON_NAMES, /^BO-/));

/** The list itself knows what it has. */
const CURSORS: ReadonlySet<string> = new Set(['startingAfter', 'endingBefore']);

/** Ids by the name of the property that they stand in, or by how they look. */
function* namedIn(content: unknown, names: RegExp, ids: RegExp, isNamed = false): Iterable<string> {
  if (typeof content === 'string') {
    if (isNamed || ids.test(content)) yield content;
  } else if (Array.isArray(content)) {
    for (const each of content as readonly unknown[]) yield* namedIn(each, names, ids, isNamed);
  } else if (content !== null && typeof content === 'object' && !Buffer.isBuffer(content)) {
    for (const [name, each] of Object.entries(content)) if (!CURSORS.has(name)) yield* namedIn(each, names, ids, names.test(name));
  }
}
