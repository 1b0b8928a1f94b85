import { must, fieldOf } from '../../../engine/index.js';
import {
  companyOf,
  DEFAULT_VERIFICATION,
  enabledQuestions,
  type QuestionCategory,
  type QuestionId,
  questionOf,
  type VerificationType,
  verificationTypeOf,
} from '../../company/index.js';
import type { Address } from '../../address.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { Decision, EvolveEnv, ListPage, ListRequest } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/policy.js';
import { dateTimeText } from '../../wire.js';
import { openJson, openText } from '../contact-fields.js';
import { type Context, fact, mustMove, onPerson, unguessable } from '../decide/common.js';
import { type AnswersOfLoans, borrowerAsks } from '../questions.js';
import type { Contact, IdentityType, NameParts, PersonState } from '../state.js';
import { currentName, withSecretsOpen } from '../views.js';
import { type AnswerFormat, isAmong } from './normalize.js';
import { findVerification, statusAt, type Verification, verificationView } from './verification.js';
import type { AttemptBody, VerificationStartBody } from './wire.js';

/** What the search for right answers needs. */
export interface AnswersEnv extends EvolveEnv {
  readonly now: number;
  list(kind: string, request: ListRequest): ListPage;
}

interface Answering {
  readonly format: AnswerFormat;
  /** All right answers; none if the borrower has no such data. They never leave the decision. */
  of(person: PersonState, env: AnswersEnv): readonly (string | null | undefined)[];
}

const ANSWERS: { readonly [Id in QuestionId]: Answering } = {
  fullName: {
    format: 'text',
    of: (person, env) => {
      const name = currentNameOf(person, env);
      const last = name?.lastName ?? '';
      return name ? [`${name.firstName} ${last}`, ...(name.preferredFirstName ? [`${name.preferredFirstName} ${last}`] : [])] : [];
    },
  },
  dateOfBirth: { format: 'date', of: (person, env) => [openText(env, person.id, 'dateOfBirth', person.id, person.dateOfBirth)] },
  ssnLast4: { format: 'digits', of: (person, env) => valuesOf(person, env, 'SSN').map(lastFour) },
  ssnFull: { format: 'digits', of: (person, env) => valuesOf(person, env, 'SSN') },
  zipCode: { format: 'digits', of: (person, env) => homesOf(person, env).map(({ postalCode }) => postalCode?.slice(0, 5)) },
  streetAddress: { format: 'street', of: (person, env) => homesOf(person, env).map(({ addressLine1 }) => addressLine1) },
  primaryEmail: { format: 'text', of: (person, env) => primaryValues(person, env, 'email') },
  primaryPhone: {
    format: 'digits',
    of: (person, env) => primaryValues(person, env, 'phone').flatMap((phone) => [phone, phone?.replace(/^\+1/, '')]),
  },
  employerName: {
    format: 'text',
    of: (person, env) => employers(person).map(({ id, name }) => openText(env, person.id, 'contact.name', id, name)),
  },
  lastPaymentAmount: { format: 'money', of: (person, env) => ofLoans(person, env).lastPaymentAmount },
  lastPaymentDate: { format: 'date', of: (person, env) => ofLoans(person, env).lastPaymentDate },
  nextDueDate: { format: 'date', of: (person, env) => loanRows(person, env).map(({ fields }) => textOrNull(fields['dueDate'])) },
  loanAmount: { format: 'money', of: (person, env) => ofLoans(person, env).loanAmount },
  originationDate: { format: 'date', of: (person, env) => ofLoans(person, env).originationDate },
  bankAccountLast4: {
    format: 'digits',
    of: ({ id, instruments }, env) =>
      instruments.map((instrument) =>
        instrument.deletedAt === null ? withSecretsOpen(env, id, instrument).details.accountNumberLastFour : null,
      ),
  },
  driversLicenseLast4: { format: 'text', of: (person, env) => valuesOf(person, env, 'driversLicense').map(lastFour) },
};

/** Maximum number of loans that are considered per borrower. */
const MOST_LOANS = 100;

/** The right answers to a question: in memory only, while they are compared. */
const rightAnswers = (id: QuestionId, person: PersonState, env: AnswersEnv): readonly string[] =>
  ANSWERS[id].of(person, env).filter((answer): answer is string => typeof answer === 'string' && answer !== '');

const answerFormat = (id: QuestionId): AnswerFormat => ANSWERS[id].format;

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

/** Starts a session and ends open sessions of the same agent. */
export const startVerification = onPerson('verification.start', (context: Context<VerificationStartBody>) => {
  const { state, command, env } = context;
  mustMove(state, 'update');
  const { typeId, type } = typeOf(context);
  refuseTooSoon(state, type, env.now);
  const questionIds = drawn(context, type);
  const agentUserId = command.actor.userId ?? null;
  const ended = state.verifications.filter((known) => known.agentUserId === agentUserId && statusAt(known, env.now) === 'started');
  const id = env.newId('VE');
  const verification = {
    id,
    agentUserId,
    verificationTypeId: typeId,
    maxAttempts: type.maxAttemptsPerSession,
    questionIds,
    lastsMs: type.expirationInSecs * 1000,
  };
  const facts = [
    ...ended.map(({ id: former }) => fact('VerificationCanceled', { id: former })),
    fact('VerificationStarted', { verification }),
  ];
  if (fieldOf(command.query, 'dryRun') === true) return { facts, preview: true, reply: () => ({ data: undefined, status: 204 }) };
  return answered(context, facts, id);
});

/** All answers must be right. The reply never says which ones were wrong. */
export const submitAnswers = onPerson('verification.attempt', (context: Context<AttemptBody>) => {
  const { state, body, env } = context;
  mustMove(state, 'update');
  const open = openVerification(context);
  const given = new Map(body.answers.map(({ questionId, answer }) => [questionId, answer]));
  let isSuccess = true;
  for (const id of open.questionIds) {
    // All answers are compared, even after a wrong one, so that the time taken reveals nothing.
    const isRight = isAmong(answerFormat(id), given.get(id) ?? '', rightAnswers(id, state, env));
    isSuccess = isRight && isSuccess;
  }
  const isLast = !isSuccess && open.attempts.length + 1 >= open.maxAttempts;
  return answered(context, [fact('VerificationAttempted', { id: open.id, attemptId: env.newId('VA'), isSuccess, isLast })], open.id);
});

export const cancelVerification = onPerson('verification.cancel', (context) => {
  mustMove(context.state, 'update');
  const { id } = openVerification(context);
  return answered(context, [fact('VerificationCanceled', { id })], id);
});

function answered({ env }: Context, facts: readonly FactDraft[], id: string): Decision<PersonState> {
  return {
    facts,
    reply: (after) => ({ data: verificationView(after, must(findVerification(after, id), 'the verification is there'), env) }),
  };
}

function openVerification({ state, command, env }: Context): Verification {
  const id = command.params['verificationId'] ?? '';
  const known = findVerification(state, id) ?? refuse('notFound', `There is no verification ${id}.`);
  const status = statusAt(known, env.now);
  return status === 'started' ? known : refuse('invalidState', `The verification ${id} is ${status}.`);
}

/** The type that the body names, else the company's default type, else `DEFAULT_VERIFICATION`. */
function typeOf({ body, env }: Context<VerificationStartBody>): { readonly typeId: string | null; readonly type: VerificationType } {
  const company = companyOf(env, env.tenant);
  const asked = body.verificationTypeId ?? null;
  const typeId = asked ?? company.profile?.config.borrowerVerification.crmDefaultTypeId ?? null;
  if (typeId === null) return { typeId, type: DEFAULT_VERIFICATION };
  const record = verificationTypeOf(company, typeId);
  return record
    ? { typeId, type: record.stored }
    : refuseProperty('verificationTypeId', 'the id of a verification type', `There is no verification type ${typeId}.`);
}

/** Refuses a session if the type's limit of recent sessions is reached, whatever their outcome. */
function refuseTooSoon({ verifications }: PersonState, { maxSessionsRecentPast, recentPastSecs }: VerificationType, now: number): void {
  const recent = verifications.filter(({ startedAt }) => startedAt > now - recentPastSecs * 1000);
  const oldestThatCounts = recent[recent.length - maxSessionsRecentPast];
  if (!oldestThatCounts) return;
  const okAt = oldestThatCounts.startedAt + recentPastSecs * 1000;
  refuse(
    'verificationThrottled',
    `At most ${maxSessionsRecentPast} verifications can start in ${recentPastSecs} seconds. Try again later.`,
    {
      retryAfterSeconds: Math.ceil((okAt - now) / 1000),
      extra: { nextVerificationOkAt: dateTimeText(okAt) },
    },
  );
}

/** Draws as many questions of each category as the type wants, from those that the borrower has data for. */
function drawn(context: Context, type: VerificationType): readonly QuestionId[] {
  const { state, env } = context;
  const pool = enabledQuestions(type).filter((id) => rightAnswers(id, state, env).length > 0);
  const order = shuffled(context, pool);
  const asked: QuestionId[] = [];
  for (const { category, exactMatchCount } of type.questionSelectionCriteria) {
    const chosen = order.filter((id) => !asked.includes(id) && questionOf(id)?.category === category).slice(0, exactMatchCount);
    if (chosen.length < exactMatchCount) refuseTooFew(state, category);
    asked.push(...chosen);
  }
  return asked;
}

const refuseTooFew = ({ id }: PersonState, category: QuestionCategory): never =>
  refuse('verificationNotPossible', `The borrower ${id} has too little data for questions of the category ${category}.`);

/** Shuffles with numbers that nobody can guess, so that nobody knows which questions come. */
function shuffled({ env }: Context, ids: readonly QuestionId[]): readonly QuestionId[] {
  const hidden = unguessable(env);
  const rank = new Map(ids.map((id, index) => [id, hidden.readUInt16LE((2 * index) % 32)]));
  return [...ids].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
}
