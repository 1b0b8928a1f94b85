import type { Channel, Day } from '../../../engine/index.js';
import { type Contact, contactView, type PersonState, personWithoutUser } from '../../borrower/index.js';
import { ask } from '../../kernel/policy.js';
import { contactAsks } from '../questions.js';
import { type CompanyState, loanTypeOf, portalUrlOf, shownCompany, zoneOf } from '../../company/index.js';
import { type LoanState, loanView, statementDetailsOf } from '../../loan/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import { dateText, toJsonText } from '../../wire.js';

/** The objects that a message is about, all of them on the borrower's shard. */
export interface MessageSubjects {
  readonly company: CompanyState;
  /** Null for a preview without a borrower. */
  readonly person: PersonState | null;
  /** The recipient's contact. */
  readonly contact: Contact | null;
  readonly loan: LoanState | null;
  /** Including `loan`, if both are given. */
  readonly loans: readonly LoanState[];
  readonly caseId: string | null;
  /** A statement of one of the loans. */
  readonly statementId: string | null;
}

/** Decisions and queries both provide it. */
export interface HydrationEnv extends EvolveEnv, Pick<DecideEnv, 'list'> {
  readonly now: number;
  today(zone: string): Day;
}

type Context = Readonly<Record<string, unknown>>;

/** The time zone of a message's dates: that of its loan's product, else the company's. */
export function zoneOfMessage({ company, loan, loans }: Pick<MessageSubjects, 'company' | 'loan' | 'loans'>): string {
  const loanTypeId = loanTypeIdOf({ loan, loans });
  return zoneOf(company, loanTypeId === null ? undefined : loanTypeOf(company, loanTypeId));
}

/** The loan type by which a template is chosen: that of the loan, or of all loans if they have the same. */
export function loanTypeIdOf({ loan, loans }: Pick<MessageSubjects, 'loan' | 'loans'>): string | null {
  const types = new Set((loan ? [loan] : loans).map(({ record }) => record?.loanTypeId ?? null));
  return types.size === 1 ? ([...types][0] ?? null) : null;
}

/**
 * The variables of a message: plain data in the shape of replies. `roots` are the names that the template reads; null = all.
 * Variables that the caller gave override these.
 */
export function hydrated(subjects: MessageSubjects, given: Context, env: HydrationEnv, roots: ReadonlySet<string> | null = null): Context {
  const context: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(VARIABLES)) {
    if (Object.hasOwn(given, name) || (roots !== null && !roots.has(name))) continue;
    const value = read(subjects, env);
    if (value !== undefined) context[name] = plain(value);
  }
  return { ...context, ...given };
}

/** The variables of a message to a person who is not a borrower. */
export const companyVariables = (company: CompanyState, env: HydrationEnv): Context =>
  hydrated({ company, person: null, contact: null, loan: null, loans: [], caseId: null, statementId: null }, { unsubscribeUrl: '' }, env);

/** The variables by name; undefined if the message is not about such an object. */
const VARIABLES: Readonly<Record<string, (subjects: MessageSubjects, env: HydrationEnv) => unknown>> = {
  company: ({ company }) => shownCompany(company),
  person: ({ person }, env) => (person === null ? undefined : shownPerson(person, env)),
  contact: ({ person, contact }, env) => (person === null || contact === null ? undefined : contactView(person, contact, env, 'clear')),
  loan: ({ loan }, env) => (loan === null ? undefined : loanView(loan, env)),
  loans: ({ loans }, env) => (loans.length === 0 ? undefined : loans.map((loan) => loanView(loan, env))),
  case: ({ caseId }, env) => (caseId === null ? undefined : ask(env, contactAsks.shownCase, caseId)),
  statement: ({ loan, loans, statementId }, env) =>
    statementId === null ? undefined : statementDetailsOf(loan === null ? loans : [loan, ...loans], statementId, env),
  today: (subjects, env) => dateText(env.today(zoneOfMessage(subjects))),
  portalUrl: ({ company }) => portalUrlOf(company),
  unsubscribeUrl: ({ company, contact }) => unsubscribeUrlOfPortal(company, contact?.id ?? null),
};

/** The borrower without identities and user, which no message needs. */
function shownPerson(person: PersonState, env: HydrationEnv): object {
  const { identities: _identities, user: _user, ...shown } = personWithoutUser(person, env);
  return shown;
}

/** What stands in the text of a message for its own link, which is a secret of its recipient's. The domain is nobody's. */
export const UNSUBSCRIBE_PLACEHOLDER = 'https://unsubscribe.invalid/';

/** What an e-mail to a borrower says instead of the portal's address, once it is sent; one to agents has no link of its own. */
export const linked = (channel: Channel, contact: Contact | null): Context =>
  channel === 'email' && contact !== null ? { unsubscribeUrl: UNSUBSCRIBE_PLACEHOLDER } : {};

/** Where the portal of a company would take it back. */
export function unsubscribeUrlOfPortal(company: CompanyState, contactId: string | null): string {
  const portal = portalUrlOf(company);
  return portal === '' ? '' : `${portal}/unsubscribe${contactId === null ? '' : `?contactId=${contactId}`}`;
}

/** Plain data in the shape of replies: amounts become numbers. */
const plain = (value: unknown): unknown => JSON.parse(toJsonText(value));
