import { hash } from 'node:crypto';
import { type LintFinding, type Trial, type TrialOrder, tryTemplate } from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import { zoneOf } from '../directory.js';
import type { CompanyState } from '../state.js';
import type { DescriptorRecord } from './descriptor.js';
import { textsOf } from './selection.js';
import { portalUrlOf, senderDetails, shownCompany } from './shown-company.js';
import type { TemplateContent, TemplateValidation, VersionRecord } from './version.js';

/** A trial that is to be made before a command, on a thread beside the service: a costly template would hold up all other requests. */
export interface PlannedTrial {
  readonly order: TrialOrder;
  /** Of the order: a trial counts only for what was tried. */
  readonly digest: string;
}

/** A trial that was made before a command. The gateway adds it to the body; nobody else can, since unknown fields are removed. */
export interface MadeTrial {
  readonly digest: string;
  readonly found: Trial;
}

export interface WithTrial {
  readonly trial?: MadeTrial;
}

/** Null for a fragment without a channel: it is judged with what includes it. */
export function plannedTrial(host: CompanyState, descriptor: DescriptorRecord, version: VersionRecord): PlannedTrial | null {
  const { subject, channel, legallyRequired: isLegallyRequired } = descriptor.stored;
  if (channel === null) return null;
  const order: TrialOrder = {
    texts: textsOf(host, { descriptor, version }),
    channel,
    subject,
    isLegallyRequired,
    zone: zoneOf(host),
    company: shownCompany(host),
    portalUrl: portalUrlOf(host),
    sender: senderDetails(host),
  };
  return { order, digest: digestOf(order) };
}

const digestOf = (order: TrialOrder): string =>
  hash(
    'sha256',
    JSON.stringify(order, (_name, value: unknown) => (value instanceof Map ? [...value] : value)),
  );

/**
 * Refuses a version that would be stopped whenever it is sent: by its cost, or by rules, which are named with their words. A trial that was
 * not made before, or was made of another state of the template, is made here.
 */
export function refuseUnsendable(host: CompanyState, descriptor: DescriptorRecord, version: VersionRecord, made?: MadeTrial): void {
  const planned = plannedTrial(host, descriptor, version);
  if (planned === null) return;
  const { broken, excess } = made?.digest === planned.digest ? made.found : tryTemplate(planned.order);
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

/** A version that has been read, with the trial that is to be made of it; null where it has errors or is judged with another one. */
export interface DraftValidation extends Omit<TemplateValidation, 'warnings'> {
  /** The part that people read. */
  readonly part: keyof TemplateContent;
  readonly planned: PlannedTrial | null;
}

/** The reply, with what a trial has found. */
export function validationWith({ part, planned: _planned, ...read }: DraftValidation, found: Trial | null): TemplateValidation {
  const { broken, depends, excess } = found ?? { broken: [], depends: [], excess: null };
  const costly = excess === null ? [] : [{ part: excess.part, line: excess.line, message: excess.message }];
  const unlawful = broken.map((finding) => ({ part, line: 1, message: findingText(finding) }));
  const errors = [...read.errors, ...costly, ...unlawful];
  const warnings = depends.map((finding) => ({
    ruleId: finding.ruleId,
    ruleCode: finding.code,
    message: findingText(finding),
    when: finding.when,
  }));
  return { ...read, valid: errors.length === 0, errors, warnings };
}

/** The part that people read. */
export const partOf = ({ contentHtmlTemplate }: TemplateContent): 'contentHtmlTemplate' | 'contentTextTemplate' =>
  contentHtmlTemplate === null ? 'contentTextTemplate' : 'contentHtmlTemplate';

/** A rule with its text, its law and the words in question. */
const findingText = ({ code, description, lawCitation, faults }: LintFinding): string =>
  `${code}: ${description}${lawCitation === null ? '' : ` (${lawCitation})`} ${faults.join(' ')}`;
