/** The bank of questions with which an agent finds out who is calling. What is right, the borrower's data say. */
export interface VerificationQuestion {
  readonly id: QuestionId;
  readonly text: string;
  /** For the agent, beside the question. */
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

export const QUESTION_IDS = Object.keys(ROWS) as readonly QuestionId[];

export const VERIFICATION_QUESTIONS: readonly VerificationQuestion[] = QUESTION_IDS.map((id) => {
  const [text, memo, category, inputFormat] = ROWS[id];
  return { id, text, memo, category, inputFormat };
});

const BY_ID: ReadonlyMap<string, VerificationQuestion> = new Map(VERIFICATION_QUESTIONS.map((question) => [question.id, question]));

export const questionOf = (id: string): VerificationQuestion | undefined => BY_ID.get(id);
