import { addDays, LAST_DAY } from '../../../engine/index.js';
import { companyOf, type KnownPromoType, promoTypeOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { recordOf, servicingOf } from '../context.js';
import type { Draw } from '../draws/draw.js';
import { drawStart } from '../draws/rates.js';
import type { LoanState } from '../state.js';
import { mayMove, type PromoMove, statusesFor } from './machine.js';
import type { PromoProgram } from './program.js';
import type { LoanLife } from './read-terms.js';

/** The program of a loan or line (null), or of one draw, that an AnyId names; 404 when it has none. */
export function promoProgramOf(state: LoanState, anyId: string | undefined, draw: number | null): PromoProgram {
  const isAsked = ({ id, externalId }: PromoProgram): boolean => id === anyId || (externalId !== null && `ext-${externalId}` === anyId);
  const known = state.promoPrograms.find((program) => program.draw === draw && isAsked(program));
  return known ?? refuse('notFound', `The loan ${state.id} has no promo program ${anyId ?? ''}.`);
}

/** 409 that names the status and the ones in which the move is legal. */
export function requirePromoMove({ id, status }: PromoProgram, move: PromoMove): void {
  if (mayMove(status, move)) return;
  const expected = statusesFor(move).join(' or ');
  refuse('invalidState', `The promo program ${id} is ${status}; it must be ${expected}.`, {
    errors: [{ path: 'status', expected, message: `the program is ${status}` }],
  });
}

/** 422 for a type that the loan's product does not offer. */
export function promoTypeAsked(state: LoanState, env: DecideEnv, anyId: string): KnownPromoType {
  const known = promoTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, anyId);
  if (known !== undefined && known.status === 'active') return known;
  return refuse('ruleViolation', `The loan type has no active promo type ${anyId}.`, {
    errors: [{ path: 'promoTypeId', expected: 'an active promo type of the loan type', message: 'there is no such promo type' }],
  });
}

/** 409 when another same-as-cash program of the loan, or of the draw, waits or runs. */
export function requireOnlyOne(state: LoanState, { id, draw, promoType }: Pick<PromoProgram, 'id' | 'draw' | 'promoType'>): void {
  if (promoType !== 'sameAsCash') return;
  const other = state.promoPrograms.find(
    (known) =>
      known.id !== id &&
      known.draw === draw &&
      known.promoType === 'sameAsCash' &&
      (known.status === 'pending' || known.status === 'active'),
  );
  if (other === undefined) return;
  refuse('activePlanExists', `The promo program ${other.id} is ${other.status}: a loan has one same-as-cash program at a time.`, {
    errors: [{ path: 'promoTypeId', expected: 'no other same-as-cash program', message: `${other.id} is ${other.status}` }],
  });
}

/** 409 when another program of the company has the external id. */
export function checkProgramExternalId(env: DecideEnv, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, 'promoProgram', externalId) === undefined) return;
  refuse('duplicate', `A promo program with the external id ${externalId} exists.`, {
    errors: [{ path: 'externalId', expected: 'an id that no other program has', message: 'taken' }],
  });
}

/** Of a line there is no last due date; a draw's programs begin with it. */
export function lifeOf(state: LoanState, draw: Draw | null): LoanLife {
  if (state.line !== null)
    return { activation: draw === null ? state.line.contract.terms.activation : drawStart(state, draw), lastDue: addDays(LAST_DAY, -1) };
  const { contract, summary } = servicingOf(state);
  return { activation: contract.terms.activation, lastDue: summary.endDay ?? contract.endDate };
}
