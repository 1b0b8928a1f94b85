import { must } from '../../../engine/index.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { type AnyDeclaration, declaredQueries, recordOf, replyOf } from '../../kernel/resources/index.js';
import { pageOf } from '../../list-order.js';
import type { CompanyState } from '../state.js';
import { type DescriptorRecord, templateDescriptorsOf } from './descriptor.js';
import { statusOf, TEMPLATE_DESCRIPTOR, TEMPLATE_VERSION } from './descriptors.js';
import { findingText, partOf, type Trial, trialOf } from './lint.js';
import { fragmentsOf } from './selection.js';
import { type AllTemplateVersionsQuery, type TemplateValidation, templateVersionsOf, validationOf } from './version.js';

const ofAllDescriptors: QuerySpec<CompanyState, AllTemplateVersionsQuery> = {
  kind: 'company',
  type: 'templateVersion.listAll',
  on: 'target',
  read({ state, query }) {
    const { descriptorId, status, ...page } = query;
    const wanted = [...templateVersionsOf(state).values()].filter(
      (version) =>
        (descriptorId === undefined || version.parentId === descriptorId) && (status === undefined || statusOf(version, state) === status),
    );
    return pageOf(wanted.reverse(), page, (version) => replyOf(TEMPLATE_VERSION as AnyDeclaration, state, version));
  },
};

const NO_FINDINGS: Trial = { broken: [], depends: [], excess: null };

const validate: QuerySpec<CompanyState> = {
  kind: 'company',
  type: 'templateVersion.validate',
  on: 'target',
  read({ state, request }): TemplateValidation {
    const version = recordOf(TEMPLATE_VERSION, state, request.params);
    const { parentId, stored } = version;
    const descriptor: DescriptorRecord = must(templateDescriptorsOf(state).get(parentId ?? ''), 'the descriptor of a version is there');
    const { errors, ...read } = validationOf(stored, (part, name) => fragmentsOf(state, { descriptor }, part)(name) !== undefined);
    const { broken, depends, excess } = errors.length > 0 ? NO_FINDINGS : trialOf(state, descriptor, version);
    const costly = excess === null ? [] : [{ part: excess.part, line: excess.line, message: excess.message }];
    const unlawful = broken.map((finding) => ({ part: partOf(stored), line: 1, message: findingText(finding) }));
    const unsendable = [...costly, ...unlawful];
    const warnings = depends.map((finding) => ({
      ruleId: finding.ruleId,
      ruleCode: finding.code,
      message: findingText(finding),
      when: finding.when,
    }));
    return { ...read, valid: read.valid && unsendable.length === 0, errors: [...errors, ...unsendable], warnings };
  },
};

export const templateQueries: readonly QuerySpec<CompanyState>[] = [
  ...declaredQueries<CompanyState>('company', TEMPLATE_DESCRIPTOR),
  ...declaredQueries<CompanyState>('company', TEMPLATE_VERSION),
  ofAllDescriptors,
  validate,
];
