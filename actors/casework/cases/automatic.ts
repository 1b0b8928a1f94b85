import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { automaticBlocks } from './blocks/automatic.js';
import { momentOf } from './fields/moment.js';
import { notificationsFired } from './notifications/firing.js';
import { activeBlock, type CaseState } from './state.js';

type Opened = Pick<
  CaseState,
  'id' | 'personId' | 'caseTypeId' | 'caseType' | 'status' | 'outcome' | 'fields' | 'customFields' | 'sealedFields'
>;

/** What the company's types make of a new case: blocks and notifications. */
export function setOffByOpening(env: DecideEnv, opened: Opened): readonly FactDraft[] {
  const { personId, caseTypeId } = opened;
  const moved = { personId, caseTypeId, block: null, before: null, after: momentOf(opened, env) };
  return [...automaticBlocks(env, moved), ...notificationsFired(env, moved)];
}

/** The same of one that moves, and may change with it. */
export function setOffByMove(env: DecideEnv, state: CaseState, change: Partial<CaseState>): readonly FactDraft[] {
  const { personId, caseTypeId } = state;
  const moved = {
    personId,
    caseTypeId,
    block: activeBlock(state) ?? null,
    before: momentOf(state, env),
    after: momentOf({ ...state, ...change }, env),
  };
  return [...automaticBlocks(env, moved), ...notificationsFired(env, moved)];
}
