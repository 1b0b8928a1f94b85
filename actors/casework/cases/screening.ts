import { parseDay, type ScreenedBlock, type ScreenedCase, type Situation } from '../../../engine/index.js';
import type { ScreenEnv } from '../../contact/index.js';
import type { CatalogRow } from '../../kernel/actor.js';
import { type LoanState, othersOn } from '../../loan/index.js';
import { loansOfPetition } from './loans.js';
import { isClosed } from './machine.js';
import { activeBlock, type CaseState } from './state.js';

/** Lists are read whole: no borrower has as many entries. */
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * What the guard screens: the cases of a borrower, with their blocks, which outlive them, and the cases of other borrowers about a shared
 * loan.
 */
export function caseworkAbout(env: ScreenEnv, personId: string, loanIds: readonly string[]): Pick<Situation, 'cases' | 'blocks'> {
  const rows = new Map<string, CatalogRow>();
  for (const parentId of [personId, ...loanIds]) for (const row of env.list('case', { parentId, limit: ALL }).rows) rows.set(row.id, row);
  const here = [...rows.keys()].flatMap((id) => env.read<CaseState>('case', id) ?? []);
  const states = [...here, ...casesOfOthers(env, personId, loanIds).filter(({ id }) => !rows.has(id))];
  return {
    cases: states.map((state) => screenedCase(env, state, personId)),
    blocks: states.filter((state) => state.personId === personId).flatMap(screenedBlocks),
  };
}

/** The cases of other people on the loans about one of these, on whichever unit of a cluster: lists are those of the borrower's unit. */
function casesOfOthers(env: ScreenEnv, personId: string, loanIds: readonly string[]): readonly CaseState[] {
  const others = new Set(loanIds.flatMap((id) => othersOn(env.read<LoanState>('loan', id), personId)));
  return env
    .readBelow<CaseState>('case', ...others)
    .filter(({ associations }) => associations.some(({ objectId }) => loanIds.includes(objectId)));
}

function screenedCase(env: ScreenEnv, state: CaseState, personId: string): ScreenedCase {
  const { id, caseType, status, outcome, createdAt, personId: of, associations, fields } = state;
  const isOfAnother = of !== personId;
  const associated = associations.map(({ objectId }) => objectId);
  const named = loansOfPetition(env, state, ifServiceId) ?? associated;
  return {
    id,
    caseType,
    status,
    outcome,
    isOpen: !isClosed(status),
    openedAt: createdAt,
    isOfAnother,
    fields,
    // If the loan is unknown, a case of the borrower may be about any loan (empty = all), a case of another about its associated loans.
    loanIds: named.length === 0 && isOfAnother ? associated : named,
  };
}

/** An external id that an earlier release has stored may have come to another loan since. */
const ifServiceId = (anyId: string): string | undefined => (anyId.startsWith('ext-') ? undefined : anyId);

function screenedBlocks(state: CaseState): readonly ScreenedBlock[] {
  const block = activeBlock(state);
  const startDate = parseDay(block?.startDate ?? '');
  if (block === undefined || startDate === undefined) return [];
  const { id, channels, themes, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels } = block;
  return [{ id, channels, themes, startDate, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels }];
}
