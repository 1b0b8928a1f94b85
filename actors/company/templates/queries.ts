import { type AnyDeclaration, declaredQueries, recordOf, replyOf } from '../../kernel/resources/index.js';
import { pageOf } from '../../page.js';
import type { QuerySpec } from '../../kernel/actor.js';
import type { CompanyState } from '../state.js';
import { validationOf } from './content.js';
import { type DescriptorRecord, templateDescriptorsOf } from './descriptor.js';
import { must } from '../../../engine/index.js';
import { TEMPLATE_DESCRIPTOR } from './descriptors.js';
import { fragmentsOf } from './selection.js';
import { type AllTemplateVersionsQuery, templateVersionsOf, type VersionRecord } from './version.js';
import { statusOf, TEMPLATE_VERSION } from './versions.js';

const ofAllDescriptors: QuerySpec<CompanyState> = {
  kind: 'company',
  type: 'templateVersion.listAll',
  on: 'target',
  read({ state, query }) {
    const { descriptorId, status, ...page } = query as AllTemplateVersionsQuery;
    const wanted = [...templateVersionsOf(state).values()].filter(
      (version) =>
        (descriptorId === undefined || version.parentId === descriptorId) && (status === undefined || statusOf(version, state) === status),
    );
    return pageOf(wanted.reverse(), page, (version) => replyOf(TEMPLATE_VERSION as AnyDeclaration, state, version));
  },
};

const validate: QuerySpec<CompanyState> = {
  kind: 'company',
  type: 'templateVersion.validate',
  on: 'target',
  read({ state, request }) {
    const { parentId, stored } = recordOf(TEMPLATE_VERSION, state, request.params) as VersionRecord;
    const descriptor: DescriptorRecord = must(templateDescriptorsOf(state).get(parentId ?? ''), 'the descriptor of a version is there');
    return validationOf(stored, (part, name) => fragmentsOf(state, { descriptor }, part)(name) !== undefined);
  },
};

export const templateQueries: readonly QuerySpec<CompanyState>[] = [
  ...declaredQueries<CompanyState>('company', TEMPLATE_DESCRIPTOR),
  ...declaredQueries<CompanyState>('company', TEMPLATE_VERSION),
  ofAllDescriptors,
  validate,
];
