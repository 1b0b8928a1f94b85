import { isSubject, isTemplateSubject, subjectNamed } from '../../../engine/index.js';
import { type Declaration, recordsOf, type ResourceHost, type ResourceRecord, type TypeLine } from '../../kernel/resources/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { FactDraft } from '../../kernel/fact.js';
import { NOTIFICATION_TYPE_TYPE, type NotificationType } from '../casework/notification-type.js';
import { WORKFLOW_TYPE_TYPE, type WorkflowType } from '../casework/workflow-type.js';
import type { CompanyState } from '../state.js';
import { firstActivation, requireActivating, withActive } from './activation.js';
import {
  TEMPLATE_DESCRIPTOR_TYPE,
  type TemplateDescriptor,
  type TemplateDescriptorCreateBody,
  type TemplateDescriptorListQuery,
  templateDescriptorsOf,
  type TemplateDescriptorUpdateBody,
} from './descriptor.js';
import { TEMPLATE_VERSION_TYPE, templateVersionsOf } from './version.js';

/** Descriptors of a company: all of them lie in its state. */
const MAX_DESCRIPTORS = 2_000;

export const TEMPLATE_DESCRIPTOR: Declaration<
  TemplateDescriptorCreateBody,
  TemplateDescriptorUpdateBody,
  TemplateDescriptor,
  CompanyState
> = {
  type: TEMPLATE_DESCRIPTOR_TYPE,
  prefix: 'TD',
  param: 'descriptorId',
  unique: [{ name: 'subject', of: ({ subject, channel, language, productId }) => JSON.stringify([subject, channel, language, productId]) }],
  create(
    { subject, channel, language = 'en', productId = null, sensitive = false, legallyRequired = false, enabled = true, name = null },
    { host },
  ) {
    if (templateDescriptorsOf(host).size >= MAX_DESCRIPTORS)
      refuse('businessValidation', `A company has ${MAX_DESCRIPTORS} template descriptors at most.`);
    return {
      subject: checkedSubject(subject),
      channel,
      language,
      productId: checkedProduct(host, productId),
      activeVersionId: null,
      wasActivated: false,
      sensitive,
      legallyRequired,
      enabled,
      name,
    };
  },
  change(before, { activeVersionId, ...body }, { id, host, command }) {
    const { subject = before.subject, channel = before.channel, language = before.language, productId = before.productId } = body;
    const { sensitive = before.sensitive, legallyRequired = before.legallyRequired, enabled = before.enabled, name = before.name } = body;
    const purpose = { subject: checkedSubject(subject), channel, language, productId: checkedProduct(host, productId) };
    if (before.wasActivated) refuseAnotherPurpose(before, purpose);
    const after: TemplateDescriptor = { ...before, ...purpose, sensitive, legallyRequired, enabled, name };
    if (activeVersionId === undefined || activeVersionId === before.activeVersionId) return after;
    requireActivating(command);
    return activeVersionId === null ? { ...after, activeVersionId } : withActive(host, { id, stored: after }, activeVersionId);
  },
  assertRemovable({ wasActivated }, { id, host }) {
    if (wasActivated) refuse('invalidState', `The template descriptor ${id} was in use: disable it instead.`);
    const user = usersOf(host, id)[0];
    if (user !== undefined) refuse('invalidState', `${user} sends from the template descriptor ${id}.`);
  },
  consequences(before, after, { id, host, env }) {
    if (after === null) return versionsRemoved(host, id);
    return after.activeVersionId === (before?.activeVersionId ?? null) ? [] : firstActivation(host, id, after.activeVersionId, env.now);
  },
  matches: ({ stored }, query, host) => isWanted(stored, query as TemplateDescriptorListQuery, host),
  view: ({ wasActivated: _, ...stored }) => stored,
};

/** A word of older callers becomes the one of today; another word is the name of a fragment. */
function checkedSubject(word: string): string {
  if (isSubject(word)) return word;
  const named = subjectNamed(word);
  if ('subject' in named) return named.subject;
  const { path, expected, message } = named.fault;
  return isTemplateSubject(word) && word !== 'failedSettlementService' ? word : refuseProperty(path, expected, message);
}

function checkedProduct({ loanTypes }: CompanyState, productId: string | null): string | null {
  return productId === null || loanTypes.has(productId) ? productId : refuse('notFound', `There is no loan type ${productId}.`);
}

type Purpose = Pick<TemplateDescriptor, 'subject' | 'channel' | 'language' | 'productId'>;

const PURPOSE = ['subject', 'channel', 'language', 'productId'] as const satisfies readonly (keyof Purpose)[];

/** What was sent from it was sent for what it says. */
function refuseAnotherPurpose(before: Purpose, after: Purpose): void {
  const errors = PURPOSE.filter((path) => before[path] !== after[path]).map((path) => ({
    path,
    expected: before[path] ?? 'null',
    message: 'stays from the first activation on',
  }));
  if (errors.length > 0) refuse('invalidState', 'What a template is for stays from its first activation on.', { errors });
}

/** Types of casework that would send from nothing. */
function usersOf(host: ResourceHost, descriptorId: string): readonly string[] {
  return [
    ...idsOf<NotificationType>(host, NOTIFICATION_TYPE_TYPE, ({ templateId }) => templateId === descriptorId),
    ...idsOf<WorkflowType>(host, WORKFLOW_TYPE_TYPE, ({ steps }) =>
      steps.some(({ items }) => items.some(({ templateId }) => templateId === descriptorId)),
    ),
  ];
}

function idsOf<Fields>(host: ResourceHost, type: string, uses: (fields: Fields) => boolean): readonly string[] {
  const records = [...recordsOf(host, type).values()] as readonly ResourceRecord<TypeLine<Fields>>[];
  return records
    .filter(({ stored }) => stored.versions.some(({ fields, status }) => status !== 'deprecated' && uses(fields)))
    .map(({ id }) => `${type} ${id}`);
}

const versionsRemoved = (host: ResourceHost, descriptorId: string): readonly FactDraft[] =>
  [...templateVersionsOf(host).values()]
    .filter(({ parentId }) => parentId === descriptorId)
    .map(({ id, parentId }): FactDraft => ({ type: 'ResourceRemoved', body: { resource: TEMPLATE_VERSION_TYPE, id, parentId } }));

function isWanted(stored: TemplateDescriptor, query: TemplateDescriptorListQuery, host: ResourceHost): boolean {
  const { companyId, subject, channel, productId, language, enabled } = query;
  return (
    (companyId === undefined || companyId === host.id) &&
    (subject === undefined || subject === stored.subject) &&
    (channel === undefined || channel === stored.channel) &&
    (productId === undefined || productId === stored.productId) &&
    (language === undefined || language === stored.language) &&
    (enabled === undefined || enabled === stored.enabled)
  );
}
