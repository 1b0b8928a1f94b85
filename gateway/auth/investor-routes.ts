import { isOpen, type Route } from '../routing/route.js';

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
