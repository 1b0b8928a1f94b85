import {
  budgetOfMessage,
  type ContentSample,
  defaultTransactional,
  isSubject,
  type Lint,
  lintContent,
  type LintFinding,
  type MessageText,
  type Rendered,
  type RenderedMessage,
  renderMessageParts,
} from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import { zoneOf } from '../directory.js';
import type { CompanyState } from '../state.js';
import type { DescriptorRecord } from './descriptor.js';
import { templatesOf } from './selection.js';
import { messageText, portalUrlOf, shownCompany } from './shown-company.js';
import type { TemplateContent, VersionRecord } from './version.js';

const NOTHING: Lint = { broken: [], depends: [] };

/** What a trial of a version has found. */
export interface Trial extends Lint {
  /** The version costs too much for a message; null where it does not. */
  readonly excess: Excess | null;
}

type Excess = Pick<Extract<Rendered, { fault: unknown }>['fault'], 'part' | 'line' | 'message'>;

/**
 * What the rules about words say to a version, tried on invented borrowers within the budget of one message. A fragment is judged with what
 * includes it.
 */
export function trialOf(host: CompanyState, descriptor: DescriptorRecord, version: VersionRecord): Trial {
  const { subject, channel, language, legallyRequired } = descriptor.stored;
  if (channel === null) return { ...NOTHING, excess: null };
  const templates = templatesOf(host, { descriptor, version });
  const budget = budgetOfMessage();
  const known = new Map<string, RenderedMessage>();
  const texts = new Map<RenderedMessage, MessageText>();
  const found: { excess: Excess | null } = { excess: null };
  const render = (sample: ContentSample): MessageText | null => {
    if (found.excess !== null) return null;
    const context = sampleContext(host, sample);
    const rendered = renderMessageParts(templates, {
      context,
      isFreeForm: false,
      zone: zoneOf(host),
      undefinedVariables: 'lenient',
      budget,
      known,
    });
    if ('fault' in rendered) {
      if (rendered.fault.kind === 'limit') found.excess = rendered.fault;
      return null;
    }
    const { message } = rendered;
    const text = texts.get(message) ?? messageText(host, language, channel, message);
    texts.set(message, text);
    return text;
  };
  if (!isSubject(subject)) {
    render(CURRENT);
    return { ...NOTHING, ...found };
  }
  const isTransactional = defaultTransactional(subject);
  const lint = lintContent({ channel, subject, isTransactional, isLegallyRequired: legallyRequired, render });
  return { ...(found.excess === null ? lint : NOTHING), ...found };
}

/** A template of a subject of the company's own is tried on one borrower: only its cost is of interest. */
const CURRENT: ContentSample = { name: 'a current loan', servicedBy: 'creditor', isOverdue: false, state: 'OH', isWrittenTo: false };

/** Refuses a version that would be stopped whenever it is sent: by its cost, or by rules, which are named with their words. */
export function refuseUnsendable(host: CompanyState, descriptor: DescriptorRecord, version: VersionRecord): void {
  const { broken, excess } = trialOf(host, descriptor, version);
  if (excess !== null) {
    const { part: path, line, message } = excess;
    refuse('businessValidation', message, {
      errors: [{ path, expected: 'a template that costs less', message: `line ${line}: ${message}` }],
      extra: { blockReason: 'templateError' },
    });
  }
  if (broken.length === 0) return;
  const path = partOf(version.stored);
  const errors = broken.map((finding): Fault => ({ path, expected: finding.faults.join(' '), message: findingText(finding) }));
  refuse('businessValidation', 'The template breaks a rule that holds for every recipient.', {
    errors,
    extra: { ruleId: broken[0]?.ruleId ?? null, blockReason: 'complianceRule' },
  });
}

/** The part that people read. */
export const partOf = ({ contentHtmlTemplate }: TemplateContent): 'contentHtmlTemplate' | 'contentTextTemplate' =>
  contentHtmlTemplate === null ? 'contentTextTemplate' : 'contentHtmlTemplate';

/** A rule with its text, its law and the words in question. */
export const findingText = ({ code, description, lawCitation, faults }: LintFinding): string =>
  `${code}: ${description}${lawCitation === null ? '' : ` (${lawCitation})`} ${faults.join(' ')}`;

const DAY = '2026-06-15';
const ROWS = [{ date: DAY, amount: 100 }];

/** Each variable that a message may read, filled in: a word that is said in one case alone is no word that is always said. */
function sampleContext(company: CompanyState, { servicedBy, isOverdue, state }: ContentSample): Readonly<Record<string, unknown>> {
  const portalUrl = portalUrlOf(company);
  const loan = { id: 'LN-AAAA-AAAA', object: 'loan', displayId: '1000001', servicedBy, status: 'active', overdueDetails: { isOverdue } };
  const address = { addressLine1: '1 Main Street', city: 'Springfield', state, postalCode: '43215' };
  return {
    company: shownCompany(company),
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
