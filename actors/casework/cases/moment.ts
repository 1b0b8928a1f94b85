import type { CaseMoment, CaseStatus } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { comparableField } from './fields.js';
import type { CaseState } from './state.js';
import { openFields } from './view.js';

type Looked = Pick<CaseState, 'id' | 'personId' | 'caseType' | 'status' | 'outcome' | 'fields' | 'customFields' | 'sealedFields'>;

/** A case as triggers and conditions see it. Sealed texts are opened only when one of them is read. */
export function momentOf(state: Looked, env: Pick<EvolveEnv, 'open'>): CaseMoment {
  const { caseType, fields, customFields } = state;
  let sealed: Readonly<Record<string, unknown>> | null = null;
  return {
    status: state.status as CaseStatus,
    outcome: state.outcome,
    field: (name) =>
      comparableField(caseType, name, fields[name] ?? customFields[name] ?? (sealed ??= openFields(env, state))[name] ?? null),
  };
}
