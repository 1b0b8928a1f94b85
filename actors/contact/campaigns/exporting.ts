import { amountText, type Cents, formatDay } from '../../../engine/index.js';
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
import { activationOf, balancesIn, type LoanState, overdueToday, recordOf, statusOf, toReadOn } from '../../loan/index.js';
import { loanOf } from '../questions.js';

export interface ExportedQuery {
  readonly criteria: ContactCriteria;
  /** Those whose values are wanted. */
  readonly fields: readonly ExportField[];
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
    const { criteria, fields, loanId } = query;
    const loan = loanFor(env, state, loanId);
    const contacts = state.contacts
      .filter((contact) => matches(contact, criteria))
      .map((contact) => {
        const exported = new Exported(env, state, contact, loan);
        const values: ExportValues = Object.fromEntries(fields.map((field) => [field, VALUES[field](exported)]));
        return { id: contact.id, contactType: contact.contactType, values };
      });
    return { personId: state.id, loanId: loan?.id ?? null, contacts };
  },
};

function loanFor(env: QueryEnv, { id: personId }: PersonState, anyId: string | null): LoanState | null {
  const id = anyId === null ? onlyLoanOf(env, personId) : loanOf(env, env.tenant, personId, anyId);
  return id === undefined ? null : (env.read<LoanState>('loan', id) ?? null);
}

function onlyLoanOf(env: QueryEnv, personId: string): string | undefined {
  const { rows } = env.list('loan', { parentId: personId, limit: 2, matches: ({ parentId }) => parentId === personId });
  const [only, other] = rows;
  return other === undefined ? only?.id : undefined;
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

/** A contact of a borrower, and the loan of its row. What is sealed or computed is opened once, and only for columns that want it. */
class Exported {
  #named: ReturnType<typeof nameAndBirthOf> | undefined;
  #address: ReturnType<typeof addressOf> | undefined;
  #overdue: ReturnType<typeof overdueToday> | undefined;

  constructor(
    private readonly env: QueryEnv,
    readonly person: PersonState,
    readonly contact: Contact,
    readonly loan: LoanState | null,
  ) {}

  get named(): ReturnType<typeof nameAndBirthOf> {
    return (this.#named ??= nameAndBirthOf(this.env, this.person));
  }

  get timezone(): string | null {
    return zoneOfPerson(this.env, this.person);
  }

  get value(): string | null {
    return contactValueOf(this.env, this.person, this.contact);
  }

  get address(): ReturnType<typeof addressOf> {
    return this.#address === undefined ? (this.#address = addressOf(this.env, this.person, this.contact)) : this.#address;
  }

  get overdue(): ReturnType<typeof overdueToday> {
    if (this.loan === null) return null;
    return this.#overdue === undefined ? (this.#overdue = overdueToday(this.loan, this.env)) : this.#overdue;
  }

  get outstandingCents(): Cents | null {
    const { loan, env } = this;
    if (loan === null || activationOf(loan) === null) return null;
    return balancesIn(toReadOn(loan, env, env.today(recordOf(loan).zone))).outstanding.totalCents;
  }
}

const money = (cents: Cents | null | undefined): string => (cents == null ? '' : amountText(cents));

/** The values of a file's columns. */
const VALUES: { readonly [Field in ExportField]: (exported: Exported) => string } = {
  'person.id': ({ person }) => person.id,
  'person.externalId': ({ person }) => said(person.externalId),
  'person.firstName': ({ named }) => said(named.firstName),
  'person.lastName': ({ named }) => said(named.lastName),
  'person.dateOfBirth': ({ named }) => said(named.dateOfBirth),
  'person.timezone': ({ timezone }) => said(timezone),
  'contact.id': ({ contact }) => contact.id,
  'contact.externalId': ({ contact }) => said(contact.externalId),
  'contact.value': ({ value }) => said(value),
  'contact.label': ({ contact }) => contact.label,
  'contact.status': ({ contact }) => contact.status,
  'contact.contactType': ({ contact }) => contact.contactType,
  'address.line1': ({ address }) => said(address?.addressLine1 ?? address?.POBox),
  'address.line2': ({ address }) => said(address?.addressLine2),
  'address.city': ({ address }) => said(address?.city),
  'address.state': ({ address }) => said(address?.state),
  'address.postalCode': ({ address }) => said(address?.postalCode),
  'loan.id': ({ loan }) => said(loan?.id),
  'loan.externalId': ({ loan }) => said(loan?.record?.externalId),
  'loan.status': ({ loan }) => (loan === null ? '' : statusOf(loan)),
  'loan.daysOverdue': ({ overdue }) => (overdue === null ? '' : String(overdue.daysOverdue)),
  'loan.overdueAmount': ({ overdue }) => money(overdue?.overdueCents),
  'loan.nextDueDate': ({ overdue }) => (overdue?.nextDueDate == null ? '' : formatDay(overdue.nextDueDate)),
  'loan.nextDueAmount': ({ overdue }) => money(overdue?.nextDueCents),
  'loan.outstandingBalance': ({ outstandingCents }) => money(outstandingCents),
};
