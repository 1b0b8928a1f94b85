import { dayAt, formatCents } from '../../../engine/index.js';
import type { QuestionId } from '../../company/index.js';
import type { LoanState } from '../../loan/state.js';
import type { TransactionRecord } from '../../loan/transactions/record.js';
import type { EvolveEnv, ListPage, ListRequest } from '../../kernel/actor.js';
import { dateText, orNull } from '../../wire.js';
import { openJson, openText } from '../fields.js';
import type { Address, Contact, IdentityType, NameParts, PersonState } from '../state.js';
import { currentName } from '../views.js';
import type { AnswerForm } from './normalize.js';
import { withSecretsOpen } from '../instrument-secrets.js';

/** What finding the right answers needs of the world. */
export interface AnswersEnv extends EvolveEnv {
  readonly now: number;
  list(kind: string, request: ListRequest): ListPage;
}

interface Answering {
  readonly form: AnswerForm;
  /** All answers that are right; none where the borrower has no such data. They never leave the decision. */
  of(person: PersonState, env: AnswersEnv): readonly (string | null | undefined)[];
}

const ANSWERS: { readonly [Id in QuestionId]: Answering } = {
  fullName: {
    form: 'text',
    of: (person, env) => {
      const name = currentNameOf(person, env);
      const last = name?.lastName ?? '';
      return name ? [`${name.firstName} ${last}`, ...(name.preferredFirstName ? [`${name.preferredFirstName} ${last}`] : [])] : [];
    },
  },
  dateOfBirth: { form: 'date', of: (person, env) => [openText(env, person.id, 'dateOfBirth', person.id, person.dateOfBirth)] },
  ssnLast4: { form: 'digits', of: (person, env) => valuesOf(person, env, 'SSN').map(lastFour) },
  ssnFull: { form: 'digits', of: (person, env) => valuesOf(person, env, 'SSN') },
  zipCode: { form: 'digits', of: (person, env) => homesOf(person, env).map(({ postalCode }) => postalCode?.slice(0, 5)) },
  streetAddress: { form: 'street', of: (person, env) => homesOf(person, env).map(({ addressLine1 }) => addressLine1) },
  primaryEmail: { form: 'text', of: (person, env) => primaryValues(person, env, 'email') },
  primaryPhone: {
    form: 'digits',
    of: (person, env) => primaryValues(person, env, 'phone').flatMap((phone) => [phone, phone?.replace(/^\+1/, '')]),
  },
  employerName: {
    form: 'text',
    of: (person, env) => employers(person).map(({ id, name }) => openText(env, person.id, 'contact.name', id, name)),
  },
  lastPaymentAmount: {
    form: 'money',
    of: (person, env) => lastPayments(person, env).map(({ actualCents, scheduledCents }) => formatCents(actualCents ?? scheduledCents)),
  },
  lastPaymentDate: { form: 'date', of: (person, env) => lastPayments(person, env).map(({ effective }) => dateText(effective.day)) },
  nextDueDate: { form: 'date', of: (person, env) => loanRows(person, env).map(({ fields }) => textOrNull(fields['dueDate'])) },
  loanAmount: {
    form: 'money',
    of: (person, env) => recordsOf(person, env).map(({ atOrigination }) => formatCents(atOrigination.amountFinancedCents)),
  },
  originationDate: {
    form: 'date',
    of: (person, env) =>
      recordsOf(person, env).map(({ zone, timestamps }) => orNull((at) => dateText(dayAt(zone, at)), timestamps.originatedAt)),
  },
  bankAccountLast4: {
    form: 'digits',
    of: ({ id, instruments }, env) =>
      instruments.map((instrument) =>
        instrument.deletedAt === null ? withSecretsOpen(env, id, instrument).details.accountNumberLastFour : null,
      ),
  },
  driversLicenseLast4: { form: 'text', of: (person, env) => valuesOf(person, env, 'driversLicense').map(lastFour) },
};

/** How many loans of a borrower are looked at. */
const MOST_LOANS = 100;

/** The right answers to a question: in memory for as long as they are compared. */
export const rightAnswers = (id: QuestionId, person: PersonState, env: AnswersEnv): readonly string[] =>
  ANSWERS[id].of(person, env).filter((answer): answer is string => typeof answer === 'string' && answer !== '');

export const answerForm = (id: QuestionId): AnswerForm => ANSWERS[id].form;

const lastFour = (value: string | null): string | null => (value === null ? null : value.replace(/[^\p{L}\p{N}]/gu, '').slice(-4));

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function currentNameOf(person: PersonState, env: AnswersEnv): NameParts | null {
  const name = currentName(person, env.now);
  return name ? openJson<NameParts>(env, person.id, 'name', name.id, name.parts) : null;
}

const valuesOf = (person: PersonState, env: AnswersEnv, type: IdentityType): readonly (string | null)[] =>
  person.identities
    .filter(({ identityType, isArchived }) => identityType === type && !isArchived)
    .map(({ id, value }) => openText(env, person.id, 'identity.value', id, value));

const primaries = ({ contacts }: PersonState, type: Contact['contactType']): readonly Contact[] =>
  contacts.filter(({ contactType, affiliation, status }) => contactType === type && affiliation === 'self' && status === 'primary');

const primaryValues = (person: PersonState, env: AnswersEnv, type: 'email' | 'phone'): readonly (string | null)[] =>
  primaries(person, type).map(({ id, value }) => openText(env, person.id, 'contact.value', id, value));

const homesOf = (person: PersonState, env: AnswersEnv): readonly Address[] =>
  primaries(person, 'address').flatMap(({ id, address }) => openJson<Address>(env, person.id, 'contact.address', id, address) ?? []);

const employers = ({ contacts }: PersonState): readonly Contact[] =>
  contacts.filter(({ affiliation, status, name }) => affiliation === 'employer' && status !== 'archived' && name !== null);

const loanRows = ({ id }: PersonState, env: AnswersEnv): ListPage['rows'] =>
  env.list('loan', {
    parentId: id,
    matches: ({ parentId, fields }) => parentId === id && fields['status'] !== 'canceled',
    limit: MOST_LOANS,
  }).rows;

const loansOf = (person: PersonState, env: AnswersEnv): readonly LoanState[] =>
  loanRows(person, env).flatMap(({ id }) => env.read<LoanState>('loan', id) ?? []);

const recordsOf = (person: PersonState, env: AnswersEnv): readonly NonNullable<LoanState['record']>[] =>
  loansOf(person, env).flatMap(({ record }) => record ?? []);

/** The newest payment that has come, over all loans: its day first, then when it was recorded. */
function lastPayments(person: PersonState, env: AnswersEnv): readonly TransactionRecord[] {
  let last: TransactionRecord | null = null;
  for (const { transactions } of loansOf(person, env)) {
    for (const record of transactions.values()) if (isPayment(record) && (last === null || isLater(record, last))) last = record;
  }
  return last === null ? [] : [last];
}

const isPayment = ({ transactionType, status }: TransactionRecord): boolean =>
  (transactionType === 'payment' || transactionType === 'downPayment') && (status === 'succeeded' || status === 'pending');

const isLater = (a: TransactionRecord, b: TransactionRecord): boolean =>
  a.effective.day === b.effective.day ? a.createdStamp > b.createdStamp : a.effective.day > b.effective.day;
