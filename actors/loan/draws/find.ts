import { drawOwedCents, type LineState, must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, EvolveEnv } from '../../kernel/actor.js';
import { activationOf, requireProduct } from '../context.js';
import { lineOf } from '../line/ledger.js';
import type { LoanStatus } from '../machine.js';
import type { LoanState } from '../state.js';
import type { Draw } from './draw.js';
import { drawChart, type DrawMove, drawStatusesFor, mayMoveDraw } from './machine.js';

/** The draw that a path names, by either id; 404 when the line has none, 409 when the loan is no line. */
export function drawOf(state: LoanState, anyId: string | undefined): Draw {
  requireProduct(state, 'lineOfCredit');
  return findDraw(state, anyId) ?? refuse('notFound', `The line of credit ${state.id} has no draw ${anyId ?? ''}.`);
}

export const findDraw = (state: LoanState, anyId: string | undefined): Draw | undefined =>
  state.draws.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId));

/** The id of the draw with a number in the ledger's facts. */
export const drawIdOf = (state: LoanState, draw: number | null): string | null =>
  draw === null ? null : (state.draws[draw - 1]?.id ?? null);

/** What the line's status makes of an active draw; a closed one that owes nothing is paid off. */
export function drawStatusOf(state: LoanState, env: EvolveEnv, draw: Draw): LoanStatus {
  if (draw.status !== 'active') return draw.status;
  const status = activationOf(state)?.summary.status ?? 'active';
  if (status !== 'active') return drawChart.after('active', must(FOLLOWED[status], `a move of draws when their line is ${status}`));
  return draw.isClosed && isSettled(lineOf(state, env), draw) ? drawChart.after('active', 'payOff') : 'active';
}

/** The move by which a draw follows its line. */
const FOLLOWED: Readonly<Partial<Record<LoanStatus, DrawMove>>> = {
  frozen: 'followFreeze',
  accelerated: 'followAcceleration',
  chargedOff: 'followChargeOff',
  paidOff: 'payOff',
  canceled: 'cancel',
};

function isSettled({ draws, processingPayments }: LineState, { draw }: Draw): boolean {
  const known = draws.find((candidate) => candidate.draw === draw);
  return processingPayments === 0 && known !== undefined && drawOwedCents(known) === 0;
}

/** 409 that names the draw's status and the ones in which the move is legal. */
export function requireDrawMove({ state, env }: Pick<CommandContext<LoanState>, 'state' | 'env'>, draw: Draw, move: DrawMove): void {
  const status = drawStatusOf(state, env, draw);
  if (mayMoveDraw(status, move)) return;
  const expected = drawStatusesFor(move).join(' or ');
  refuse('invalidState', `The draw is ${status}; it must be ${expected}.`, {
    errors: [{ path: 'status', expected, message: `the draw is ${status}` }],
  });
}

/** 409 for a draw that was closed. */
export function requireOpenDraw({ id, isClosed }: Draw): void {
  if (!isClosed) return;
  refuse('invalidState', `The draw ${id} is closed.`, { errors: [{ path: 'isClosed', expected: 'false', message: 'the draw is closed' }] });
}

/** 409 when another draw of the company has the external id. */
export function checkDrawExternalId({ env }: Pick<CommandContext<LoanState>, 'env'>, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, 'draw', externalId) === undefined) return;
  refuse('duplicate', `A draw with the external id ${externalId} exists.`, {
    errors: [{ path: 'externalId', expected: 'an id that no other draw has', message: 'taken' }],
  });
}
