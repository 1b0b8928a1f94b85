import { changed, type Declaration, recordOf, replyOf, type ResourceHost } from '../../kernel/resources/index.js';
import { must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec } from '../../kernel/actor.js';
import { actorView } from '../../kernel/actor-view.js';
import { dateTimeText, orNull } from '../../wire.js';
import type { CompanyState } from '../state.js';
import { firstActivation, versionNamed, withActive } from './activation.js';
import { refuseFaulty, refuseLacking } from './content.js';
import { type DescriptorRecord, TEMPLATE_DESCRIPTOR_TYPE, templateDescriptorsOf } from './descriptor.js';
import { TEMPLATE_DESCRIPTOR } from './descriptors.js';
import {
  TEMPLATE_VERSION_TYPE,
  type TemplateVersion,
  type TemplateVersionBody,
  type TemplateVersionListQuery,
  templateVersionsOf,
  type TemplateVersionStatus,
  type VersionRecord,
} from './version.js';

/** Versions of a descriptor. */
const MAX_VERSIONS = 200;

export const TEMPLATE_VERSION: Declaration<TemplateVersionBody, TemplateVersionBody, TemplateVersion, CompanyState> = {
  type: TEMPLATE_VERSION_TYPE,
  prefix: 'TV',
  param: 'versionId',
  parent: { param: 'descriptorId', noun: 'template descriptor', exists: (host, id) => templateDescriptorsOf(host).has(id) },
  unique: [],
  create({ subjectLineTemplate = null, contentTextTemplate = null, contentHtmlTemplate = null, description = null }, { host, command }) {
    const content = { subjectLineTemplate, contentTextTemplate, contentHtmlTemplate };
    if (countOf(host, command.params['descriptorId']) >= MAX_VERSIONS)
      refuse('businessValidation', `A template descriptor has ${MAX_VERSIONS} versions at most.`);
    refuseFaulty(content);
    return { ...content, description, createdBy: command.actor, activatedAt: null };
  },
  change(before, body, { id, host }) {
    const {
      subjectLineTemplate = before.subjectLineTemplate,
      contentTextTemplate = before.contentTextTemplate,
      contentHtmlTemplate = before.contentHtmlTemplate,
      description = before.description,
    } = body;
    const after = { ...before, subjectLineTemplate, contentTextTemplate, contentHtmlTemplate, description };
    refuseFaulty(after);
    const descriptor = descriptorOf(host, must(templateVersionsOf(host).get(id), 'the version is there'));
    if (descriptor.stored.activeVersionId === id) refuseLacking(after, descriptor.stored.channel);
    return after;
  },
  assertRemovable({ activatedAt }, { id }) {
    if (activatedAt !== null) refuse('invalidState', `The version ${id} was in use and stays.`);
  },
  matches({ id, parentId, stored }, query, host) {
    const { status } = query as TemplateVersionListQuery;
    return status === undefined || status === statusOf({ id, parentId, stored }, host);
  },
  view: ({ createdBy, activatedAt, ...stored }, { id, parentId }, host) => ({
    descriptorId: parentId,
    status: statusOf({ id, parentId, stored: { activatedAt } }, host),
    ...stored,
    createdBy: actorView(createdBy),
    activatedAt: orNull(dateTimeText, activatedAt),
  }),
};

const countOf = (host: ResourceHost, descriptorId: string | undefined): number =>
  [...templateVersionsOf(host).values()].filter(({ parentId }) => parentId === descriptorId).length;

const descriptorOf = (host: ResourceHost, { parentId }: Pick<VersionRecord, 'parentId'>): DescriptorRecord =>
  must(templateDescriptorsOf(host).get(must(parentId, 'a version has a descriptor')), 'the descriptor of a version is there');

type Standing = Pick<VersionRecord, 'id' | 'parentId'> & { readonly stored: Pick<TemplateVersion, 'activatedAt'> };

/** Derived: the descriptor says which one is active, and what was active once is retired. */
export function statusOf(version: Standing, host: ResourceHost): TemplateVersionStatus {
  if (descriptorOf(host, version).stored.activeVersionId === version.id) return 'active';
  return version.stored.activatedAt === null ? 'draft' : 'retired';
}

/** `POST …/versions/{versionId}/activate`: the version that was active until then is retired. */
export const activateVersion: CommandSpec<CompanyState> = {
  kind: 'company',
  type: 'templateVersion.activate',
  place: { on: 'target' },
  catchUpFirst: false,
  decide({ state, command, env }) {
    const descriptor = recordOf(TEMPLATE_DESCRIPTOR, state, command.params) as DescriptorRecord;
    const version = versionNamed(state, descriptor.id, command.params['versionId'] ?? '');
    const after = withActive(state, descriptor, version.id);
    const isActive = descriptor.stored.activeVersionId === version.id;
    return {
      facts: isActive
        ? []
        : [changed(TEMPLATE_DESCRIPTOR_TYPE, descriptor, after), ...firstActivation(state, descriptor.id, version.id, env.now)],
      reply: (then) => ({ data: replyOf(TEMPLATE_DESCRIPTOR, then, templateDescriptorsOf(then).get(descriptor.id)) }),
    };
  },
};
