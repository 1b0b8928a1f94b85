import type { tags } from 'typia';
import { type Channel, isSubject, isTemplateSubject, must, subjectNamed } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import { actorView } from '../../kernel/actor-logic.js';
import type { CommandRequest, CommandSpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { changed, type Declaration, recordOf, recordsOf, replyOf, type ResourceHost, type TypeLine } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import { isPermitted } from '../../permission.js';
import { type AnyId, dateTimeText, type DateTimeText, orNull } from '../../wire.js';
import { NOTIFICATION_TYPE_TYPE, type NotificationType } from '../casework/notification-types.js';
import { WORKFLOW_TYPE_TYPE, type WorkflowType } from '../casework/workflow-types.js';
import { REMINDER_ZONE } from '../directory.js';
import type { CompanyState } from '../state.js';
import { type DescriptorRecord, TEMPLATE_DESCRIPTOR_TYPE, type TemplateDescriptor, templateDescriptorsOf } from './descriptor.js';
import { type MadeTrial, refuseUnsendable, type WithTrial } from './trial.js';
import {
  formerOf,
  refuseFaulty,
  refuseLacking,
  TEMPLATE_VERSION_TYPE,
  type TemplateVersion,
  type TemplateVersionBody,
  type TemplateVersionListQuery,
  templateVersionsOf,
  type TemplateVersionStatus,
  type VersionRecord,
} from './version.js';

type TemplateSubject = string & tags.Pattern<'^[a-z][A-Za-z0-9]{1,63}$'>;
export type TemplateLanguage = string & tags.Pattern<'^[a-z]{2}$'>;

interface FieldsBody {
  readonly language?: TemplateLanguage;
  readonly productId?: AnyId | null;
  readonly sensitive?: boolean;
  readonly legallyRequired?: boolean;
  readonly enabled?: boolean;
  readonly name?: (string & tags.MinLength<1> & tags.MaxLength<100>) | null;
}

export interface TemplateDescriptorCreateBody extends FieldsBody {
  readonly subject: TemplateSubject;
  readonly channel: Channel | null;
}

export interface TemplateDescriptorUpdateBody extends FieldsBody {
  readonly subject?: TemplateSubject;
  readonly channel?: Channel | null;
  /** Activates this version; null deactivates the active one. */
  readonly activeVersionId?: AnyId | null;
}

export interface TemplateDescriptorListQuery extends PageQuery {
  /** Must be the caller's own company: lists of others are empty. */
  readonly companyId?: AnyId;
  readonly subject?: string;
  readonly channel?: Channel;
  readonly productId?: AnyId;
  readonly language?: TemplateLanguage;
  readonly enabled?: boolean;
}

export interface TemplateDescriptorView extends Omit<TemplateDescriptor, 'wasActivated'> {
  readonly id: string;
  readonly object: 'templateDescriptor';
  readonly companyId: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const ACTIVATE = 'communicator.template:activate';

/** Activating a version needs a permission of its own, in whichever request. */
function requireActivating({ permissions }: CommandRequest): void {
  if (!isPermitted(permissions, ACTIVATE))
    refuse('permissionDenied', `To activate a version you need the permission ${ACTIVATE}.`, { extra: { permission: ACTIVATE } });
}

/** The version of a descriptor with this id; refuses with 404 if there is none. */
function versionNamed(host: ResourceHost, descriptorId: string, versionId: string): VersionRecord {
  const found = templateVersionsOf(host).get(versionId);
  return found?.parentId === descriptorId
    ? found
    : refuse('notFound', `The template descriptor ${descriptorId} has no version ${versionId}.`);
}

/** The descriptor with another active version. Refuses a version that lacks parts for its channel, costs too much or breaks a rule. */
function withActive(host: CompanyState, descriptor: DescriptorRecord, versionId: string, made?: MadeTrial): TemplateDescriptor {
  const { id, stored } = descriptor;
  const version = versionNamed(host, id, versionId);
  refuseLacking(version.stored, stored.channel);
  refuseUnsendable(host, descriptor, version, made);
  return { ...stored, activeVersionId: versionId, wasActivated: true };
}

const descriptorWith = (host: ResourceHost, id: string, stored: TemplateDescriptor): DescriptorRecord => ({
  ...must(templateDescriptorsOf(host).get(id), 'a descriptor that changes is there'),
  stored,
});

/** Records the time of the first activation in the version. */
function firstActivation(host: ResourceHost, descriptorId: string, versionId: string | null, now: number): readonly FactDraft[] {
  if (versionId === null) return [];
  const version = versionNamed(host, descriptorId, versionId);
  return version.stored.activatedAt === null ? [changed(TEMPLATE_VERSION_TYPE, version, { ...version.stored, activatedAt: now })] : [];
}

/** Maximum number of descriptors of a company: all of them are in its state. */
const MAX_DESCRIPTORS = 2_000;

export const TEMPLATE_DESCRIPTOR: Declaration<
  TemplateDescriptorCreateBody,
  TemplateDescriptorUpdateBody & WithTrial,
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
      refuse('businessValidation', `A company can have at most ${MAX_DESCRIPTORS} template descriptors.`);
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
  change(before, { activeVersionId, trial, ...body }, { id, host, command }) {
    const { enabled = before.enabled, name = before.name } = body;
    const after = { ...withPurpose(host, before, body), enabled, name };
    if (activeVersionId === undefined || activeVersionId === before.activeVersionId) return after;
    requireActivating(command);
    return activeVersionId === null
      ? { ...after, activeVersionId }
      : withActive(host, descriptorWith(host, id, after), activeVersionId, trial);
  },
  assertRemovable({ wasActivated }, { id, host }) {
    if (wasActivated) refuse('invalidState', `The template descriptor ${id} was in use and cannot be deleted. Disable it instead.`);
    refuseNamed(host, `The template descriptor ${id}`, [id, ...versionsOf(host, id).map((version) => version.id)]);
  },
  consequences(before, after, { id, host, env }) {
    if (after === null) return versionsRemoved(host, id);
    return after.activeVersionId === (before?.activeVersionId ?? null) ? [] : firstActivation(host, id, after.activeVersionId, env.now);
  },
  matches: ({ stored }, query: TemplateDescriptorListQuery, host) => isWanted(stored, query, host),
  view: ({ wasActivated: _, ...stored }) => stored,
};

/** The descriptor with the purpose and the rules of a body. Refuses another purpose once a version was active. */
export function withPurpose(host: CompanyState, before: TemplateDescriptor, body: TemplateDescriptorUpdateBody): TemplateDescriptor {
  const { subject = before.subject, channel = before.channel, language = before.language, productId = before.productId } = body;
  const purpose = { subject: checkedSubject(subject), channel, language, productId: checkedProduct(host, productId) };
  if (before.wasActivated) refuseAnotherPurpose(before, purpose);
  const { sensitive = before.sensitive, legallyRequired = before.legallyRequired } = body;
  return { ...before, ...purpose, sensitive, legallyRequired };
}

/** Translates subjects of older interfaces to the current ones. Any other text is the name of a fragment. */
function checkedSubject(subject: string): string {
  if (isSubject(subject)) return subject;
  const named = subjectNamed(subject);
  if ('subject' in named) return named.subject;
  const { path, expected, message } = named.fault;
  return isTemplateSubject(subject) && subject !== 'failedSettlementService' ? subject : refuseProperty(path, expected, message);
}

function checkedProduct({ loanTypes }: CompanyState, productId: string | null): string | null {
  return productId === null || loanTypes.has(productId) ? productId : refuse('notFound', `There is no loan type ${productId}.`);
}

type Purpose = Pick<TemplateDescriptor, 'subject' | 'channel' | 'language' | 'productId'>;

const PURPOSE = ['subject', 'channel', 'language', 'productId'] as const satisfies readonly (keyof Purpose)[];

/** The purpose cannot be changed after the first activation, since messages may have been sent for it. */
function refuseAnotherPurpose(before: Purpose, after: Purpose): void {
  const errors = PURPOSE.filter((path) => before[path] !== after[path]).map((path) => ({
    path,
    expected: before[path] ?? 'null',
    message: 'cannot change after the first activation',
  }));
  if (errors.length > 0)
    refuse('invalidState', 'These fields cannot change after the first activation of the template: see `errors`.', { errors });
}

/** Refuses to delete a descriptor or version while types of casework name it to send from it. */
function refuseNamed(host: ResourceHost, what: string, ids: readonly string[]): void {
  const names = ({ templateId }: { readonly templateId: string | number | null }): boolean => ids.some((id) => id === templateId);
  const users = [
    ...idsOf<NotificationType>(host, NOTIFICATION_TYPE_TYPE, names),
    ...idsOf<WorkflowType>(host, WORKFLOW_TYPE_TYPE, ({ steps }) => steps.some(({ items }) => items.some(names))),
  ];
  if (users.length > 0) refuse('invalidState', `${what} cannot be deleted: it is named by ${users.join(', ')}.`);
}

function idsOf<Fields>(host: ResourceHost, type: string, uses: (fields: Fields) => boolean): readonly string[] {
  const records = [...recordsOf<TypeLine<Fields>>(host, type).values()];
  return records
    .filter(({ stored }) => stored.versions.some(({ fields, status }) => status !== 'deprecated' && uses(fields)))
    .map(({ id }) => `${type} ${id}`);
}

const versionsOf = (host: ResourceHost, descriptorId: string): readonly VersionRecord[] =>
  [...templateVersionsOf(host).values()].filter(({ parentId }) => parentId === descriptorId);

const versionsRemoved = (host: ResourceHost, descriptorId: string): readonly FactDraft[] =>
  versionsOf(host, descriptorId).map(
    ({ id, parentId }): FactDraft => ({ type: 'ResourceRemoved', body: { resource: TEMPLATE_VERSION_TYPE, id, parentId } }),
  );

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

/** Maximum number of versions of a descriptor. */
const MAX_VERSIONS = 200;

export const TEMPLATE_VERSION: Declaration<TemplateVersionBody, TemplateVersionBody & WithTrial, TemplateVersion, CompanyState> = {
  type: TEMPLATE_VERSION_TYPE,
  prefix: 'TV',
  param: 'versionId',
  parent: { param: 'descriptorId', noun: 'template descriptor', exists: (host, id) => templateDescriptorsOf(host).has(id) },
  unique: [],
  create({ subjectLineTemplate = null, contentTextTemplate = null, contentHtmlTemplate = null, description = null }, { host, command }) {
    const content = { subjectLineTemplate, contentTextTemplate, contentHtmlTemplate };
    if (versionsOf(host, command.params['descriptorId'] ?? '').length >= MAX_VERSIONS)
      refuse('businessValidation', `A template descriptor can have at most ${MAX_VERSIONS} versions.`);
    refuseFaulty(content);
    return { ...content, description, createdBy: command.actor, activatedAt: null };
  },
  change(before, body, { id, host, env }) {
    const { description = before.description } = body;
    const after = { ...withContent(before, body), description, former: formerOf(before, env.now) };
    refuseFaulty(after);
    const descriptor = descriptorOf(host, must(templateVersionsOf(host).get(id), 'the version is there'));
    if (descriptor.stored.activeVersionId === id) {
      refuseLacking(after, descriptor.stored.channel);
      refuseUnsendable(host, descriptor, { ...must(templateVersionsOf(host).get(id), 'the version is there'), stored: after }, body.trial);
    }
    return after;
  },
  assertRemovable({ activatedAt }, { id, host }) {
    if (activatedAt !== null) refuse('invalidState', `The version ${id} was in use and cannot be deleted.`);
    refuseNamed(host, `The version ${id}`, [id]);
  },
  matches({ id, parentId, stored }, query: TemplateVersionListQuery, host) {
    const { status } = query;
    return status === undefined || status === statusOf({ id, parentId, stored }, host);
  },
  view: ({ createdBy, activatedAt, former: _former, ...stored }, { id, parentId }, host) => ({
    descriptorId: parentId,
    status: statusOf({ id, parentId, stored: { activatedAt } }, host),
    ...stored,
    createdBy: actorView(createdBy),
    activatedAt: orNull(dateTimeText, activatedAt),
  }),
};

/** The version with the content of a body. */
export function withContent(before: TemplateVersion, body: TemplateVersionBody): TemplateVersion {
  const {
    subjectLineTemplate = before.subjectLineTemplate,
    contentTextTemplate = before.contentTextTemplate,
    contentHtmlTemplate = before.contentHtmlTemplate,
  } = body;
  return { ...before, subjectLineTemplate, contentTextTemplate, contentHtmlTemplate };
}

export const descriptorOf = (host: ResourceHost, { parentId }: Pick<VersionRecord, 'parentId'>): DescriptorRecord =>
  must(templateDescriptorsOf(host).get(must(parentId, 'a version has a descriptor')), 'the descriptor of a version is there');

type VersionToShow = Pick<VersionRecord, 'id' | 'parentId'> & { readonly stored: Pick<TemplateVersion, 'activatedAt'> };

/** Derived: the descriptor names the active version; a version that was active before is retired. */
export function statusOf(version: VersionToShow, host: ResourceHost): TemplateVersionStatus {
  if (descriptorOf(host, version).stored.activeVersionId === version.id) return 'active';
  return version.stored.activatedAt === null ? 'draft' : 'retired';
}

/** `POST …/versions/{versionId}/activate`: the former active version is retired. */
export const activateVersion: CommandSpec<CompanyState, WithTrial | undefined> = {
  kind: 'company',
  type: 'templateVersion.activate',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, command, body, env }) {
    const descriptor = recordOf(TEMPLATE_DESCRIPTOR, state, command.params);
    const version = versionNamed(state, descriptor.id, command.params['versionId'] ?? '');
    const after = withActive(state, descriptor, version.id, body?.trial);
    const isActive = descriptor.stored.activeVersionId === version.id;
    env.today(REMINDER_ZONE); // reminders may be sent from here on
    return {
      facts: isActive
        ? []
        : [changed(TEMPLATE_DESCRIPTOR_TYPE, descriptor, after), ...firstActivation(state, descriptor.id, version.id, env.now)],
      reply: (then) => ({ data: replyOf(TEMPLATE_DESCRIPTOR, then, templateDescriptorsOf(then).get(descriptor.id), env.now) }),
    };
  },
};
