import { Refusal, listResult } from '../../actors/index.js';
import { fieldOf, fieldsOf, must, recordsIn, textIn } from '../../engine/index.js';
import type { CallContext } from '../call-context.js';
import { isOpen, type Reply, type Route } from '../routing/route.js';

/**
 * How far a route is open to an employee who sees only the loans of some investors.
 *
 * | Kind | The route |
 * |---|---|
 * | `plain` | shows no loan |
 * | `narrowed` | is narrowed by the engine to loans that the employee sees |
 * | `people` | lists borrowers |
 * | `borrower` | is about a borrower who has no loan, or one that the employee sees |
 * | `wholeBorrower` | is about a borrower all of whose loans the employee sees |
 * | `loan` | is about a loan that the employee sees |
 * | `closed` | is refused: it mixes loans (streams, reports, mass work, webhooks) or could lift the limit (users, roles, keys) |
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
const OF_COMPANY =
  'app-domains|collection-agencies|loan-labels|merchants|compliance/rules|compliance/business-rules|loan-types|sending-domains|sending-numbers';
/** Paths of data about the person and no loan. */
const PERSONAL = 'names|identity|identities|contacts|consents|legal-representatives';

/** The first rule that fits applies; a route without one is closed. */
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
  { kind: 'loan', methods: READS, path: /^\/companies\/\{companyId\}\/people\/\{personId\}\/loans\/\{loanId\}\// },
  { kind: 'loan', methods: READS, path: /^\/loans\/\{loanId\}\/events$/ },
  { kind: 'borrower', path: /^\/people\/\{personId\}\/loans$/ },
  { kind: 'borrower', methods: new Set(['GET', 'PUT']), path: /^\/people\/\{personId\}$/ },
  { kind: 'borrower', path: new RegExp(`^/people/\\{personId\\}/(${PERSONAL})(/|$)`) },
  { kind: 'closed', path: /^\/people\/\{personId\}\/user$/ },
  { kind: 'wholeBorrower', path: /^\/people\/\{personId\}(\/|$)/ },
];

/** Files and streams, which mix loans of all investors. */
const MIXED_LOANS: ReadonlySet<Route['envelope']> = new Set(['csv', 'events', 'socket']);

export function kindOfRoute({ path, method, permission, envelope }: Pick<Route, 'path' | 'method' | 'permission' | 'envelope'>): RouteKind {
  if (MIXED_LOANS.has(envelope)) return 'closed';
  const rule = RULES.find((each) => each.path.test(path) && each.methods?.has(method) !== false);
  return rule?.kind ?? (isOpen(permission) ? 'plain' : 'closed');
}

/**
 * Handles the call of an employee who sees only the loans of some investors, where the table of routes allows it. The engine narrows
 * lists by the investors of the request. Loans and borrowers that a path, query or body names are looked up here first, and hidden ones
 * are answered with `notFound`.
 */
export async function withinInvestors(route: Route, call: CallContext): Promise<Reply> {
  const kind = kindOfRoute(route);
  if (kind === 'closed')
    throw new Refusal('permissionDenied', 'An employee who is limited to some investors has no access to this operation.', {
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
    // Data of a borrower beside its loans may show something about each of them.
    if (!seen.some || (kind === 'wholeBorrower' && !seen.all)) throw new Refusal('notFound', `There is no borrower ${personId}.`);
  }
  if (loanId !== undefined) await assertLoan(call, loanId);
  for (const named of [...loansNamedIn(call.query), ...loansNamedIn(call.body)]) await assertLoan(call, named);
  for (const named of [...peopleNamedIn(call.query), ...peopleNamedIn(call.body)]) {
    if (!(await loansSeen(call, named)).some) throw new Refusal('notFound', `There is no borrower ${named}.`);
  }
}

interface Seen {
  /** The caller sees one of the borrower's loans, or the borrower has none. */
  readonly some: boolean;
  readonly all: boolean;
}

/** Throws `notFound` for an unknown borrower. Loans that the borrower holds with another one count, on whichever shard they are. */
async function loansSeen(call: CallContext, personId: string): Promise<Seen> {
  const { company, mode, permissions, investorIds } = call.caller;
  const request = { company, mode, permissions, type: 'loan.listOfPerson', target: null, params: { personId }, query: { limit: 1 } };
  const all = listResult(await call.engine.query(request));
  const seen = listResult(await call.engine.query({ ...request, investorIds: must(investorIds, 'they are known') }));
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

/** The list has looked at loans on the borrower's shard; loans of other shards are asked for here. */
async function ofSeenPeople(call: CallContext, reply: Reply): Promise<Reply> {
  const list = listResult(reply.data);
  const ids = list.items.map(idOf);
  const seen = await Promise.all(ids.map(async (id) => (await loansSeen(call, id)).some));
  const hidden = new Set(ids.filter((_id, at) => seen[at] !== true));
  if (hidden.size === 0) return reply;
  const search = fieldOf(reply.extra, 'search');
  const data = {
    ...list,
    items: list.items.filter((item) => !hidden.has(idOf(item))),
    total: list.total === null ? null : list.total - hidden.size,
  };
  if (search === undefined) return { ...reply, data };
  return {
    ...reply,
    data,
    extra: {
      ...reply.extra,
      search: {
        ...fieldsOf(search),
        total: { value: data.total, relation: 'eq' },
        hits: recordsIn(search, 'hits').filter((hit) => !hidden.has(idOf(hit))),
      },
    },
  };
}

const idOf = (item: unknown): string => must(textIn(item, 'id'), 'an item of the list has an id');

const LOAN_NAMES = /^(loanIds?|toLoanId|fromLoanId)$|LoanIds?$/;
const PERSON_NAMES = /^(personIds?|borrowerIds?)$|(Person|Borrower)Ids?$/;

const loansNamedIn = (content: unknown): ReadonlySet<string> => new Set(namedIn(content, LOAN_NAMES, /^LN-/));
const peopleNamedIn = (content: unknown): ReadonlySet<string> => new Set(namedIn(content, PERSON_NAMES, /^BO-/));

/** Cursors are checked by the list itself. */
const CURSORS: ReadonlySet<string> = new Set(['startingAfter', 'endingBefore']);

/** Ids, found by the name of their property or by how they look. */
function* namedIn(content: unknown, names: RegExp, ids: RegExp, isNamed = false): Iterable<string> {
  if (typeof content === 'string') {
    if (isNamed || ids.test(content)) yield content;
  } else if (Array.isArray(content)) {
    for (const each of content as readonly unknown[]) yield* namedIn(each, names, ids, isNamed);
  } else if (content !== null && typeof content === 'object' && !Buffer.isBuffer(content)) {
    for (const [name, each] of Object.entries(content)) if (!CURSORS.has(name)) yield* namedIn(each, names, ids, names.test(name));
  }
}
