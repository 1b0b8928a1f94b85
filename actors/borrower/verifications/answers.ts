import type { QuestionId } from '../../company/index.js';
import { ask } from '../../kernel/question.js';
import { type AnswersOfLoans, borrowerAsks } from '../questions.js';
import type { EvolveEnv, ListPage, ListRequest } from '../../kernel/actor.js';
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
  lastPaymentAmount: { form: 'money', of: (person, env) => ofLoans(person, env).lastPaymentAmount },
  lastPaymentDate: { form: 'date', of: (person, env) => ofLoans(person, env).lastPaymentDate },
  nextDueDate: { form: 'date', of: (person, env) => loanRows(person, env).map(({ fields }) => textOrNull(fields['dueDate'])) },
  loanAmount: { form: 'money', of: (person, env) => ofLoans(person, env).loanAmount },
  originationDate: { form: 'date', of: (person, env) => ofLoans(person, env).originationDate },
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

const ofLoans = (person: PersonState, env: AnswersEnv): AnswersOfLoans =>
  ask(
    env,
    borrowerAsks.answersOfLoans,
    loanRows(person, env).map(({ id }) => id),
  );
