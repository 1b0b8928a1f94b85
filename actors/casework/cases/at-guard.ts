import type { ScreenEnv } from '../../contact/index.js';
import { type BlockStanding, type CaseStanding, parseDay, type Situation } from '../../../engine/index.js';
import type { CatalogRow } from '../../kernel/actor.js';
import type { LoanState } from '../../loan/index.js';
import { isClosed } from './machine.js';
import { activeBlock, type CaseState } from './state.js';

/** Of a borrower more than anybody has: lists are read whole. */
const ALL = Number.MAX_SAFE_INTEGER;

/** The cases of a borrower, whose blocks outlive them, and those of others about a loan that they share. */
export function caseworkAbout(env: ScreenEnv, personId: string, loanIds: readonly string[]): Pick<Situation, 'cases' | 'blocks'> {
  const rows = new Map<string, CatalogRow>();
  for (const parentId of [personId, ...loanIds]) for (const row of env.list('case', { parentId, limit: ALL }).rows) rows.set(row.id, row);
  const states = [...rows.keys()].flatMap((id) => env.read<CaseState>('case', id) ?? []);
  return {
    cases: states.map((state) => caseStanding(env, state, personId, loanIds)),
    blocks: states.filter((state) => state.personId === personId).flatMap(blockStanding),
  };
}

function caseStanding(
  env: ScreenEnv,
  { id, caseType, status, outcome, createdAt, personId: of, associations, fields }: CaseState,
  personId: string,
  loanIds: readonly string[],
): CaseStanding {
  const included = fields['loansIncluded'];
  const isOfAnother = of !== personId;
  const associated = associations.map(({ objectId }) => objectId);
  const named = Array.isArray(included) && included.length > 0 ? loansNamed(env, included.map(String), loanIds) : associated;
  return {
    id,
    caseType,
    status,
    outcome,
    isOpen: !isClosed(status),
    openedAt: createdAt,
    isOfAnother,
    fields,
    // Which loan it means is not known: of the borrower's own case it may be any (none are all), of another's those that it is listed with.
    loanIds: named ?? (isOfAnother ? associated : []),
  };
}

const SERVICE_ID = /^LN-/;

/** The loans that a case names, be it by external ids; null where one of these is none of the borrower's. */
function loansNamed(env: ScreenEnv, anyIds: readonly string[], loanIds: readonly string[]): readonly string[] | null {
  const external = new Map(loanIds.map((id) => [`ext-${env.read<LoanState>('loan', id)?.record?.externalId ?? ''}`, id]));
  const found = anyIds.map((anyId) => (SERVICE_ID.test(anyId) ? anyId : (external.get(anyId) ?? null)));
  return found.includes(null) ? null : found.filter((id) => id !== null);
}

function blockStanding(state: CaseState): readonly BlockStanding[] {
  const block = activeBlock(state);
  const startDate = parseDay(block?.startDate ?? '');
  if (block === undefined || startDate === undefined) return [];
  const { id, channels, themes, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels } = block;
  return [{ id, channels, themes, startDate, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels }];
}
