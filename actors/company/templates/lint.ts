import {
  type ContentSample,
  defaultTransactional,
  isSubject,
  type Lint,
  lintContent,
  type LintFinding,
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

/** What the rules about words say to a version, tried on invented borrowers. A fragment is judged with what includes it. */
export function lintOf(host: CompanyState, descriptor: DescriptorRecord, version: VersionRecord): Lint {
  const { subject, channel, language, legallyRequired } = descriptor.stored;
  if (channel === null || !isSubject(subject)) return NOTHING;
  const templates = templatesOf(host, { descriptor, version });
  return lintContent({
    channel,
    subject,
    isTransactional: defaultTransactional(subject),
    isLegallyRequired: legallyRequired,
    render(sample) {
      const context = sampleContext(host, sample);
      const rendered = renderMessageParts(templates, { context, zone: zoneOf(host), undefinedVariables: 'lenient' });
      return 'message' in rendered ? messageText(host, language, channel, rendered.message) : null;
    },
  });
}

/** Refuses a version that would be stopped whenever it is sent, with the rules and their words. */
export function refuseUnlawful(host: CompanyState, descriptor: DescriptorRecord, version: VersionRecord): void {
  const { broken } = lintOf(host, descriptor, version);
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
