import { namesOf } from '../../engine/index.js';
import type { tags } from 'typia';
import { type Fault, Refusal, refuse } from '../errors.js';
import { type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../kernel/resources/index.js';
import type { OffsetQuery } from '../list-order.js';
import type { DateTimeText, ShortText } from '../wire.js';
import type { CompanyState } from './state.js';

/** A question with which an agent verifies the caller. The right answers come from the borrower's data. */
export interface VerificationQuestion {
  readonly id: QuestionId;
  readonly text: string;
  /** A note for the agent. */
  readonly memo: string;
  readonly category: QuestionCategory;
  readonly inputFormat: InputFormat;
}

export type QuestionCategory = 'inBorrowerPortal' | 'notInBorrowerPortal';
type InputFormat = 'text' | 'email' | 'zip' | 'phone' | 'date' | 'last4' | 'pattern';

type Row = readonly [text: string, memo: string, category: QuestionCategory, inputFormat: InputFormat];

const ROWS = {
  fullName: ['What are your first and last names?', 'Both, as they are on file', 'inBorrowerPortal', 'text'],
  dateOfBirth: ['What is your date of birth?', 'Day, month and year', 'notInBorrowerPortal', 'date'],
  ssnLast4: ['What are the last four digits of your social security number?', 'Four digits', 'notInBorrowerPortal', 'last4'],
  ssnFull: ['What is your social security number?', 'Nine digits', 'notInBorrowerPortal', 'pattern'],
  zipCode: ['What is the ZIP code of your address?', 'The first five digits', 'inBorrowerPortal', 'zip'],
  streetAddress: ['What is the street address of your home?', 'Number and street', 'inBorrowerPortal', 'text'],
  primaryEmail: ['What is your e-mail address?', 'The one we write to', 'inBorrowerPortal', 'email'],
  primaryPhone: ['What is your telephone number?', 'The one we call', 'inBorrowerPortal', 'phone'],
  employerName: ['Who is your employer?', 'As it is on file', 'notInBorrowerPortal', 'text'],
  lastPaymentAmount: ['How much was your last payment?', 'Dollars and cents', 'inBorrowerPortal', 'pattern'],
  lastPaymentDate: ['When was your last payment?', 'The day on which it counted', 'inBorrowerPortal', 'date'],
  nextDueDate: ['When is your next payment due?', 'Of any of the loans', 'inBorrowerPortal', 'date'],
  loanAmount: ['How much did you borrow?', 'Of any of the loans; dollars and cents', 'inBorrowerPortal', 'pattern'],
  originationDate: ['When was your loan made?', 'Of any of the loans', 'inBorrowerPortal', 'date'],
  bankAccountLast4: ['What are the last four digits of the bank account that you pay from?', 'Four digits', 'inBorrowerPortal', 'last4'],
  driversLicenseLast4: [
    'What are the last four characters of your driver’s license?',
    'Letters and digits',
    'notInBorrowerPortal',
    'last4',
  ],
} as const satisfies Readonly<Record<string, Row>>;

export type QuestionId = keyof typeof ROWS;

const QUESTION_IDS = namesOf(ROWS);

export const VERIFICATION_QUESTIONS: readonly VerificationQuestion[] = QUESTION_IDS.map((id) => {
  const [text, memo, category, inputFormat] = ROWS[id];
  return { id, text, memo, category, inputFormat };
});

const BY_ID: ReadonlyMap<string, VerificationQuestion> = new Map(VERIFICATION_QUESTIONS.map((question) => [question.id, question]));

export const questionOf = (id: string): VerificationQuestion | undefined => BY_ID.get(id);

/** How borrowers are verified: which questions, how many, how often. */
export interface VerificationType {
  readonly name: string;
  readonly expirationInSecs: number;
  readonly maxSessionsRecentPast: number;
  readonly recentPastSecs: number;
  readonly maxAttemptsPerSession: number;
  /** Null = all questions. */
  readonly enabledQuestionIds: readonly QuestionId[] | null;
  readonly questionSelectionCriteria: readonly SelectionCriterion[];
}

/** How many questions of a category are asked. */
interface SelectionCriterion {
  readonly exactMatchCount: number;
  readonly category: QuestionCategory;
}

type Seconds = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<31536000>;
type Count = number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100>;

export interface VerificationTypeBody {
  readonly name?: ShortText;
  readonly expirationInSecs?: Seconds;
  readonly maxSessionsRecentPast?: Count;
  readonly recentPastSecs?: Seconds;
  readonly maxAttemptsPerSession?: Count;
  readonly enabledQuestionIds?: (readonly QuestionId[] & tags.MaxItems<100>) | null;
  readonly questionSelectionCriteria?: readonly {
    readonly exactMatchCount: number & tags.Type<'uint32'> & tags.Maximum<100>;
    readonly category: QuestionCategory;
  }[] &
    tags.MaxItems<10>;
}

export interface VerificationTypeView extends VerificationType {
  readonly id: string;
  readonly object: 'verificationType';
  readonly companyId: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export type VerificationTypeListQuery = OffsetQuery;

/** The type of a company that has no default type of its own. */
export const DEFAULT_VERIFICATION: VerificationType = {
  name: '',
  expirationInSecs: 900,
  maxSessionsRecentPast: 2,
  recentPastSecs: 3600,
  maxAttemptsPerSession: 3,
  enabledQuestionIds: null,
  questionSelectionCriteria: [
    { exactMatchCount: 2, category: 'inBorrowerPortal' },
    { exactMatchCount: 1, category: 'notInBorrowerPortal' },
  ],
};

const TYPE = 'verificationType';

export const VERIFICATION_TYPE: Declaration<VerificationTypeBody, VerificationTypeBody, VerificationType, CompanyState> = {
  type: TYPE,
  prefix: 'VT',
  param: 'verificationTypeId',
  unique: [],
  create: (body) => checked({ ...DEFAULT_VERIFICATION, ...body }),
  change: (before, body) => checked({ ...before, ...body }),
  assertRemovable(_before, { host, id }) {
    if (host.profile?.config.borrowerVerification.crmDefaultTypeId !== id) return;
    refuse('invalidState', `The verification type ${id} is the company's default: name another one first.`);
  },
  view: (stored) => stored,
};

/** A verification type of a company, by id. */
export const verificationTypeOf = (host: ResourceHost, id: string): ResourceRecord<VerificationType> | undefined =>
  recordsOf<VerificationType>(host, TYPE).get(id);

/** Questions that a session of the type may ask. */
export const enabledQuestions = ({ enabledQuestionIds }: VerificationType): readonly QuestionId[] => enabledQuestionIds ?? QUESTION_IDS;

/** A type without questions, and one that asks more questions of a category than are enabled. */
function faultsOf(type: VerificationType): readonly Fault[] {
  const path = 'questionSelectionCriteria';
  const wanted = new Map<QuestionCategory, number>();
  for (const { category, exactMatchCount } of type.questionSelectionCriteria)
    wanted.set(category, (wanted.get(category) ?? 0) + exactMatchCount);
  if ([...wanted.values()].every((count) => count === 0))
    return [{ path, expected: 'at least one question', message: 'A verification must have at least one question.' }];
  const enabled = new Set(enabledQuestions(type));
  return [...wanted].flatMap(([category, count]) => {
    const known = [...enabled].filter((id) => questionOf(id)?.category === category).length;
    const expected = `at most ${known} questions of ${category}`;
    return known >= count ? [] : [{ path, expected, message: `The category ${category} has only ${known} enabled questions.` }];
  });
}

/** What is wrong with the body of a new type. */
export const verificationTypeFaults = (body: VerificationTypeBody): readonly Fault[] => faultsOf({ ...DEFAULT_VERIFICATION, ...body });

function checked(type: VerificationType): VerificationType {
  const errors = faultsOf(type);
  const [first] = errors;
  if (first !== undefined) throw new Refusal('validationError', first.message, { errors });
  return { ...type, enabledQuestionIds: type.enabledQuestionIds && [...new Set(type.enabledQuestionIds)] };
}
