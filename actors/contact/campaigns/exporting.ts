import { formatDay, type Cents } from '../../../engine/index.js';
import {
  addressOf,
  type Contact,
  contactValueOf,
  isReachable,
  nameAndBirthOf,
  type PersonState,
  zoneOfPerson,
} from '../../borrower/index.js';
import type { ContactCriteria, ExportField } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { amountText } from '../../kernel/jobs/mass-run.js';
import { activationOf, balancesIn, type LoanState, overdueToday, runningOf, statusOf, upToDate } from '../../loan/index.js';
import { loanOf } from '../questions.js';

export interface ExportedQuery {
  readonly criteria: ContactCriteria;
  /** Null: the borrower's only loan, where there is one alone. */
  readonly loanId: string | null;
}

/** The values of a file's columns, as text; what is not known is empty. */
type ExportValues = { readonly [Field in ExportField]?: string };

export interface ExportedContacts {
  readonly personId: string;
  readonly loanId: string | null;
  readonly contacts: readonly { readonly id: string; readonly contactType: Contact['contactType']; readonly values: ExportValues }[];
}

/** The service's own question: the contacts of a borrower that an exporter wants, in clear. No route leads here. */
export const exportedContacts: QuerySpec<PersonState, ExportedQuery> = {
  kind: 'person',
  type: 'person.exportedContacts',
  on: 'target',
  read({ state, env, query }): ExportedContacts {
    if (!isReachable(state)) return refuse('notFound', 'There is no such borrower.');
    const { criteria, loanId } = query;
    const loan = loanFor(env, state, loanId);
    const shared = { ...valuesOfPerson(env, state), ...(loan === null ? {} : valuesOfLoan(env, loan)) };
    const contacts = state.contacts
      .filter((contact) => matches(contact, criteria))
      .map((contact) => ({
        id: contact.id,
        contactType: contact.contactType,
        values: { ...shared, ...valuesOfContact(env, state, contact) },
      }));
    return { personId: state.id, loanId: loan?.id ?? null, contacts };
  },
};

function loanFor(env: QueryEnv, { id: personId }: PersonState, anyId: string | null): LoanState | null {
  const named = anyId === null ? null : loanOf(env, env.tenant, personId, anyId);
  const { rows } = env.list('loan', { parentId: personId, limit: 2, matches: ({ parentId }) => parentId === personId });
  const [only, other] = rows;
  const id = named ?? (other === undefined ? only?.id : undefined);
  return id === undefined ? null : (env.read<LoanState>('loan', id) ?? null);
}

/** An archived contact is exported where its status is asked for alone. */
function matches({ label, contactType, affiliation, status }: Contact, criteria: ContactCriteria): boolean {
  const isOf = (wanted: readonly string[] | undefined, value: string): boolean => wanted === undefined || wanted.includes(value);
  return (
    isOf(criteria.label, label) &&
    isOf(criteria.contactType, contactType) &&
    isOf(criteria.affiliation, affiliation) &&
    (criteria.status === undefined ? status !== 'archived' : criteria.status.includes(status))
  );
}

const said = (text: string | null | undefined): string => text ?? '';

function valuesOfPerson(env: QueryEnv, person: PersonState): ExportValues {
  const { firstName, lastName, dateOfBirth } = nameAndBirthOf(env, person);
  return {
    'person.id': person.id,
    'person.externalId': said(person.externalId),
    'person.firstName': said(firstName),
    'person.lastName': said(lastName),
    'person.dateOfBirth': said(dateOfBirth),
    'person.timezone': said(zoneOfPerson(env, person)),
  };
}

function valuesOfContact(env: QueryEnv, person: PersonState, contact: Contact): ExportValues {
  const address = addressOf(env, person, contact);
  return {
    'contact.id': contact.id,
    'contact.externalId': said(contact.externalId),
    'contact.value': said(contactValueOf(env, person, contact)),
    'contact.label': contact.label,
    'contact.status': contact.status,
    'contact.contactType': contact.contactType,
    'address.line1': said(address?.addressLine1 ?? address?.POBox),
    'address.line2': said(address?.addressLine2),
    'address.city': said(address?.city),
    'address.state': said(address?.state),
    'address.postalCode': said(address?.postalCode),
  };
}

function valuesOfLoan(env: QueryEnv, state: LoanState): ExportValues {
  const overdue = overdueToday(state, env);
  const outstanding = activationOf(state) === null ? null : balancesIn(runningOf(upToDate(state, env), env)).outstanding.totalCents;
  const money = (cents: Cents | null | undefined): string => (cents == null ? '' : amountText(cents));
  return {
    'loan.id': state.id,
    'loan.externalId': said(state.record?.externalId),
    'loan.status': statusOf(state),
    'loan.daysOverdue': overdue === null ? '' : String(overdue.daysOverdue),
    'loan.overdueAmount': money(overdue?.overdueCents),
    'loan.nextDueDate': overdue?.nextDueDate == null ? '' : formatDay(overdue.nextDueDate),
    'loan.nextDueAmount': money(overdue?.nextDueCents),
    'loan.outstandingBalance': money(outstanding),
  };
}

/** Names a borrower of a list by the service id, so that one who is named in two ways is written to once. */
export const borrowerNamed: QuerySpec<PersonState> = {
  kind: 'person',
  type: 'person.named',
  on: 'target',
  read: ({ state }) => (isReachable(state) ? { personId: state.id } : refuse('notFound', 'There is no such borrower.')),
};
