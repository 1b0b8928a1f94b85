import typia from 'typia';
import {
  type AllTemplateVersionsQuery,
  type TemplateDescriptorCreateBody,
  type TemplateDescriptorListQuery,
  type TemplateDescriptorUpdateBody,
  type TemplateDescriptorView,
  type TemplateValidation,
  type TemplateVersionBody,
  type TemplateVersionListQuery,
  type TemplateVersionView,
  type TrialQuery,
  listResult,
  validationWith,
  type WithTrial,
} from '../../../actors/index.js';
import { isRecord } from '../../../engine/index.js';
import type { Renderer } from '../../rendering/renderer.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';

const TAGS = ['Templates'];
const DESCRIPTORS = '/communicator/templatedescriptors';
const DESCRIPTOR = '/communicator/templatedescriptors/{descriptorId}';
const VERSIONS = '/communicator/templatedescriptors/{descriptorId}/versions';
const VERSION = '/communicator/templatedescriptors/{descriptorId}/versions/{versionId}';
const READ = 'communicator.template:read';
const CREATE = 'communicator.template:create';
const UPDATE = 'communicator.template:update';
const ACTIVATE = 'communicator.template:activate';

const descriptorReply = typia.json.schemas<[TemplateDescriptorView], '3.1'>();
const versionReply = typia.json.schemas<[TemplateVersionView], '3.1'>();
const versionsReply = typia.json.schemas<[TemplateVersionView[]], '3.1'>();
const versionBody = {
  validate: typia.misc.createValidatePrune<TemplateVersionBody>(),
  schemas: typia.json.schemas<[TemplateVersionBody], '3.1'>(),
};

const itemsAlone = (answer: Reply): Reply => ({ ...answer, data: listResult(answer.data).items });

/** Templates of messages. Replies have no envelope. */
export const templateRoutes = (renderer: Renderer): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: DESCRIPTORS,
    operation: 'listTemplateDescriptors',
    summary: 'List template descriptors, newest first',
    tags: TAGS,
    permission: READ,
    envelope: 'bare',
    query: {
      validate: typia.misc.createValidatePrune<TemplateDescriptorListQuery>(),
      schemas: typia.json.schemas<[TemplateDescriptorListQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[TemplateDescriptorView[]], '3.1'>(),
    handle: async (call) => itemsAlone(await call.read('templateDescriptor.list', call.caller.company)),
  }),
  defineRoute({
    method: 'POST',
    path: DESCRIPTORS,
    operation: 'createTemplateDescriptor',
    summary: 'Create a template descriptor',
    tags: TAGS,
    permission: CREATE,
    envelope: 'bare',
    body: {
      validate: typia.misc.createValidatePrune<TemplateDescriptorCreateBody>(),
      schemas: typia.json.schemas<[TemplateDescriptorCreateBody], '3.1'>(),
    },
    reply: descriptorReply,
    handle: (call) => call.command('templateDescriptor.create', call.caller.company),
  }),
  defineRoute({
    method: 'GET',
    path: DESCRIPTOR,
    operation: 'getTemplateDescriptor',
    summary: 'Get a template descriptor',
    tags: TAGS,
    permission: READ,
    envelope: 'bare',
    reply: descriptorReply,
    handle: (call) => call.read('templateDescriptor.get', call.caller.company),
  }),
  defineRoute({
    method: 'PUT',
    path: DESCRIPTOR,
    operation: 'updateTemplateDescriptor',
    summary: 'Update a template descriptor',
    tags: TAGS,
    permission: UPDATE,
    envelope: 'bare',
    description: `A change of \`activeVersionId\` also needs the permission ${ACTIVATE}.`,
    body: {
      validate: typia.misc.createValidatePrune<TemplateDescriptorUpdateBody>(),
      schemas: typia.json.schemas<[TemplateDescriptorUpdateBody], '3.1'>(),
    },
    reply: descriptorReply,
    handle: async (call) => {
      const { activeVersionId = null } = call.body;
      const options = activeVersionId === null ? {} : await tried(call, renderer, { descriptor: call.body });
      return call.command('templateDescriptor.update', call.caller.company, options);
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: DESCRIPTOR,
    operation: 'deleteTemplateDescriptor',
    summary: 'Delete an unused template descriptor with its drafts',
    tags: TAGS,
    permission: UPDATE,
    handle: (call) => call.command('templateDescriptor.delete', call.caller.company),
  }),
  defineRoute({
    method: 'GET',
    path: VERSIONS,
    operation: 'listTemplateVersions',
    summary: 'List the versions of a template descriptor, newest first',
    tags: TAGS,
    permission: READ,
    envelope: 'bare',
    query: {
      validate: typia.misc.createValidatePrune<TemplateVersionListQuery>(),
      schemas: typia.json.schemas<[TemplateVersionListQuery], '3.1'>(),
    },
    reply: versionsReply,
    handle: async (call) => itemsAlone(await call.read('templateVersion.list', call.caller.company)),
  }),
  defineRoute({
    method: 'GET',
    path: '/communicator/templateversions',
    operation: 'listAllTemplateVersions',
    summary: 'List the versions of all template descriptors, newest first',
    tags: TAGS,
    permission: READ,
    envelope: 'bare',
    query: {
      validate: typia.misc.createValidatePrune<AllTemplateVersionsQuery>(),
      schemas: typia.json.schemas<[AllTemplateVersionsQuery], '3.1'>(),
    },
    reply: versionsReply,
    handle: async (call) => itemsAlone(await call.read('templateVersion.listAll', call.caller.company)),
  }),
  defineRoute({
    method: 'POST',
    path: VERSIONS,
    operation: 'createTemplateVersion',
    summary: 'Create a draft version of a template',
    tags: TAGS,
    permission: CREATE,
    envelope: 'bare',
    body: versionBody,
    reply: versionReply,
    handle: (call) => call.command('templateVersion.create', call.caller.company),
  }),
  defineRoute({
    method: 'GET',
    path: VERSION,
    operation: 'getTemplateVersion',
    summary: 'Get a version of a template',
    tags: TAGS,
    permission: READ,
    envelope: 'bare',
    reply: versionReply,
    handle: (call) => call.read('templateVersion.get', call.caller.company),
  }),
  defineRoute({
    method: 'PUT',
    path: VERSION,
    operation: 'updateTemplateVersion',
    summary: 'Update the content of a version of a template',
    tags: TAGS,
    permission: UPDATE,
    envelope: 'bare',
    description: 'A change of the active version applies from the next message on.',
    body: versionBody,
    reply: versionReply,
    handle: async (call) =>
      call.command('templateVersion.update', call.caller.company, await tried(call, renderer, { version: call.body })),
  }),
  defineRoute({
    method: 'POST',
    path: `${VERSION}/activate`,
    operation: 'activateTemplateVersion',
    summary: 'Activate a version of a template',
    tags: TAGS,
    permission: ACTIVATE,
    envelope: 'bare',
    reply: descriptorReply,
    handle: async (call) => call.command('templateVersion.activate', call.caller.company, await tried(call, renderer, {})),
  }),
  defineRoute({
    method: 'DELETE',
    path: VERSION,
    operation: 'deleteTemplateVersion',
    summary: 'Delete a draft version of a template',
    tags: TAGS,
    permission: UPDATE,
    handle: (call) => call.command('templateVersion.delete', call.caller.company),
  }),
  defineRoute({
    method: 'POST',
    path: `${VERSION}/validate`,
    operation: 'validateTemplateVersion',
    summary: 'Validate a version of a template and list its variables',
    tags: TAGS,
    permission: READ,
    envelope: 'bare',
    reply: typia.json.schemas<[TemplateValidation], '3.1'>(),
    handle: (call) => validated(call, renderer),
  }),
];

/** The options of a command whose template is tried before it, on a render thread: the trial is a part of its body. */
async function tried(call: Call, renderer: Renderer, query: TrialQuery): Promise<{ readonly body?: WithTrial }> {
  const { company } = call.caller;
  const { data: planned } = await call.read('templateVersion.trial', company, { query });
  if (planned === null) return {};
  const found = await renderer.render<'trial'>(company, { type: 'trial', order: planned.order });
  return { body: { ...(isRecord(call.body) ? call.body : {}), trial: { digest: planned.digest, found } } };
}

async function validated(call: Call, renderer: Renderer): Promise<Reply> {
  const { company } = call.caller;
  const { data: draft } = await call.read('templateVersion.validate', company);
  const found = draft.planned === null ? null : await renderer.render<'trial'>(company, { type: 'trial', order: draft.planned.order });
  return { data: validationWith(draft, found) };
}
