import type { QuerySpec } from '../../kernel/actor.js';
import { type AnyDeclaration, declaredQueries, recordOf, replyOf } from '../../kernel/resources/index.js';
import { matching, pageOf } from '../../list-order.js';
import type { CompanyState } from '../state.js';
import { templateDescriptorsOf } from './descriptor.js';
import {
  descriptorOf,
  statusOf,
  TEMPLATE_DESCRIPTOR,
  TEMPLATE_VERSION,
  type TemplateDescriptorUpdateBody,
  withContent,
  withPurpose,
} from './descriptors.js';
import { fragmentsOf } from './selection.js';
import { type DraftValidation, partOf, type PlannedTrial, plannedTrial } from './trial.js';
import { type AllTemplateVersionsQuery, type TemplateVersionBody, templateVersionsOf, validationOf } from './version.js';

const ofAllDescriptors: QuerySpec<CompanyState, AllTemplateVersionsQuery> = {
  kind: 'company',
  type: 'templateVersion.listAll',
  on: 'target',
  read({ state, query, env }) {
    const { descriptorId, status, ...page } = query;
    const wanted = matching(
      [...templateVersionsOf(state).values()].reverse(),
      (version) =>
        (descriptorId === undefined || version.parentId === descriptorId) && (status === undefined || statusOf(version, state) === status),
    );
    return pageOf(wanted, page, (version) => replyOf(TEMPLATE_VERSION as AnyDeclaration, state, version, env.now));
  },
};

const validate: QuerySpec<CompanyState> = {
  kind: 'company',
  type: 'templateVersion.validate',
  on: 'target',
  read({ state, request }): DraftValidation {
    const version = recordOf(TEMPLATE_VERSION, state, request.params);
    const descriptor = descriptorOf(state, version);
    const read = validationOf(version.stored, (part, name) => fragmentsOf(state, { descriptor }, part)(name) !== undefined);
    return { ...read, part: partOf(version.stored), planned: read.errors.length > 0 ? null : plannedTrial(state, descriptor, version) };
  },
};

/** Fields that a command is about to change. */
export interface TrialQuery {
  readonly descriptor?: TemplateDescriptorUpdateBody;
  readonly version?: TemplateVersionBody;
}

/**
 * What a command will try: the version that it activates, or the active one that it changes. Null where it tries nothing. A purpose that
 * the command refuses is refused here.
 */
const trial: QuerySpec<CompanyState, TrialQuery> = {
  kind: 'company',
  type: 'templateVersion.trial',
  on: 'target',
  read({ state, request, query }): PlannedTrial | null {
    const { descriptorId = '', versionId = query.descriptor?.activeVersionId ?? '' } = request.params;
    const descriptor = templateDescriptorsOf(state).get(descriptorId);
    const version = templateVersionsOf(state).get(versionId);
    if (descriptor === undefined || version?.parentId !== descriptorId) return null;
    const isActive = descriptor.stored.activeVersionId === versionId;
    if (query.version !== undefined)
      return isActive ? plannedTrial(state, descriptor, { ...version, stored: withContent(version.stored, query.version) }) : null;
    if (query.descriptor === undefined) return plannedTrial(state, descriptor, version);
    if (isActive) return null;
    return plannedTrial(state, { ...descriptor, stored: withPurpose(state, descriptor.stored, query.descriptor) }, version);
  },
};

export const templateQueries: readonly QuerySpec<CompanyState>[] = [
  ...declaredQueries<CompanyState>('company', TEMPLATE_DESCRIPTOR),
  ...declaredQueries<CompanyState>('company', TEMPLATE_VERSION),
  ofAllDescriptors,
  validate,
  trial,
];
