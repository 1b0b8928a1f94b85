import { type Channel, defaultTransactional, isSubject } from '../communication/index.js';
import { type MessageTexts, type Rendered, type RenderedMessage, renderMessageParts, templatesOfTexts } from '../html/index.js';
import { budgetOfMessage } from '../templates/index.js';
import { type ContentSample, type Lint, lintContent } from './content-lint.js';
import { type MessageText, messageTextOf, type SenderDetails } from './content-wording.js';

/** A template that is to be tried on invented borrowers. Plain data, so that another thread can do it. */
export interface TrialOrder {
  readonly texts: MessageTexts;
  readonly channel: Channel;
  /** A subject of the service, or one of the company's own. */
  readonly subject: string;
  readonly isLegallyRequired: boolean;
  /** IANA name of the company's time zone. */
  readonly zone: string;
  /** The company as templates show it. */
  readonly company: object;
  /** Empty where the company has none. */
  readonly portalUrl: string;
  readonly sender: SenderDetails;
}

/** What a trial has found. */
export interface Trial extends Lint {
  /** The template costs too much for a message; null where it does not. */
  readonly excess: Excess | null;
}

type Excess = Pick<Extract<Rendered, { fault: unknown }>['fault'], 'part' | 'line' | 'message'>;

const NOTHING: Lint = { broken: [], depends: [] };

/**
 * What the rules about words say to a template, tried on invented borrowers within the budget of one message. A template that cannot be
 * parsed says nothing. Pure.
 */
export function tryTemplate(order: TrialOrder): Trial {
  const { texts, channel, subject, isLegallyRequired, zone, sender } = order;
  const templates = templatesOfTexts(texts);
  const budget = budgetOfMessage();
  const known = new Map<string, RenderedMessage>();
  const read = new Map<RenderedMessage, MessageText>();
  const found: { excess: Excess | null } = { excess: null };
  const render = (sample: ContentSample): MessageText | null => {
    if (found.excess !== null) return null;
    const context = sampleContext(order, sample);
    const rendered = renderMessageParts(templates, { context, isFreeForm: false, zone, undefinedVariables: 'lenient', budget, known });
    if ('fault' in rendered) {
      const { kind, part, line, message } = rendered.fault;
      if (kind === 'limit') found.excess = { part, line, message };
      return null;
    }
    const { message } = rendered;
    const text = read.get(message) ?? messageTextOf(sender, texts.language, channel, message);
    read.set(message, text);
    return text;
  };
  if (!isSubject(subject)) {
    render(CURRENT);
    return { ...NOTHING, ...found };
  }
  const lint = lintContent({ channel, subject, isTransactional: defaultTransactional(subject), isLegallyRequired, render });
  return { ...(found.excess === null ? lint : NOTHING), ...found };
}

/** A template of a subject of the company's own is tried on one borrower: only its cost is of interest. */
const CURRENT: ContentSample = { name: 'a current loan', servicedBy: 'creditor', isOverdue: false, state: 'OH', isWrittenTo: false };

const DAY = '2026-06-15';
const ROWS = [{ date: DAY, amount: 100 }];

/** Each variable that a message may read, filled in: a word that is said in one case alone is no word that is always said. */
function sampleContext({ company, portalUrl }: TrialOrder, sample: ContentSample): Readonly<Record<string, unknown>> {
  const { servicedBy, isOverdue, state } = sample;
  const loan = { id: 'LN-AAAA-AAAA', object: 'loan', displayId: '1000001', servicedBy, status: 'active', overdueDetails: { isOverdue } };
  const address = { addressLine1: '1 Main Street', city: 'Springfield', state, postalCode: '43215' };
  return {
    company,
    person: PERSON,
    contact: { id: 'CT-AAAA-AAAA', object: 'contact', value: 'ada@example.com', address },
    loan,
    loans: [loan],
    case: { id: 'CS-AAAA-AAAA', object: 'case', caseType: 'dispute' },
    statement: { minimumDueAmount: 100, dueDate: DAY },
    today: '2026-06-02',
    portalUrl,
    loginUrl: portalUrl,
    unsubscribeUrl: portalUrl === '' ? '' : `${portalUrl}/unsubscribe?contactId=CT-AAAA-AAAA`,
    ...AMOUNTS,
    ...DATES,
    ...TEXTS,
  };
}

const PERSON = {
  id: 'PR-AAAA-AAAA',
  object: 'person',
  name: { firstName: 'Ada', lastName: 'Quimby' },
  businessDetails: null,
  commPreferences: { language: null },
};

const AMOUNTS = {
  paymentAmount: 100,
  overdueAmount: 100,
  minimumDueAmount: 100,
  amount: 100,
  extraCharge: 10,
  creditLimitAmount: 1_000,
  daysOverdue: 30,
  apr: 10,
};

const DATES = {
  paymentDate: DAY,
  paymentDueDate: DAY,
  newPaymentDate: DAY,
  cureByDate: DAY,
  schedule: ROWS,
  paymentSchedule: ROWS,
  expirationMonth: '06',
  expirationYear: '2027',
};

const TEXTS = {
  paymentMethod: 'bank account',
  paymentMethodCode: 'bankAccount',
  paymentMethodLastFour: '1234',
  cardLastFour: '1234',
  failureReason: 'It was returned.',
  failureReasonCode: 'unknownReason',
  cancelReason: 'It was ended.',
  cancelReasonCode: 'canceledByAgent',
  closeReason: 'It was ended.',
  closeReasonCode: 'expired',
  closeReasonDescription: 'It was ended.',
  loanStatus: 'active',
  loanStatusCode: 'active',
  code: '123456',
  subjectLine: 'A message',
  contentHtml: '<p>A message.</p>',
  contentPlain: 'A message.',
};
