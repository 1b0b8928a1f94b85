import { firstTimestamps } from '../../origination/timestamps.js';
import { companyOf, currentSettings } from '../../../company/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import { type Checked, checkRates, refuseFaults } from '../../commands/check-terms.js';
import { beginAction } from '../../commands/order.js';
import { checkLabels, checkPeople, declineFaults, readDeclineReason } from '../../commands/references.js';
import { loanTypeOf, recordOf, todayOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import { type Draw, DRAW_IDS, type DrawOrigination, MAX_DRAWS, type NewDraw } from '../draw.js';
import type { DrawCreated } from '../evolve.js';
import { checkDrawExternalId } from '../find.js';
import { drawTermsFaults, readDrawTerms } from '../read-terms.js';
import type { CreateDrawRequest } from '../types.js';
import { drawViewOf } from '../view.js';

/** `POST L/draws`: its line is originated or active, open, and allows new draws. */
export const createDraw: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'draw.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CreateDrawRequest>(context, 'draw');
    const { state, env } = context;
    requireNewDraws(state);
    const errors = [
      ...declineFaults(request.status, readDeclineReason(request.declineReason)),
      ...drawTermsFaults(request.atOrigination ?? {}),
    ];
    if (errors.length > 0) refuse('validationError', 'The draw has faults.', { errors });
    const draw = newDraw(context, request);
    checkDrawExternalId(context, request.externalId);
    const body: DrawCreated = { draw, caseId: request.caseId ?? null };
    return {
      facts: [{ type: 'DrawCreated', body }],
      preview: request.previewMode === true,
      reply: (after) => ({ data: drawViewOf(after, env, draw.id), sealedFor: recordOf(state).personId }),
    };
  },
};

/** 409 while the line takes no new draws and purchases. */
export function requireNewDraws(state: LoanState): void {
  const { newDrawsAllowed, isClosed } = recordOf(state);
  if (isClosed)
    refuse('invalidState', 'The line of credit is closed.', { errors: [{ path: 'isClosed', expected: 'false', message: 'is closed' }] });
  if (newDrawsAllowed) return;
  refuse('invalidState', 'The line of credit allows no new draws.', {
    errors: [{ path: 'newDrawsAllowed', expected: 'true', message: 'is false' }],
  });
}

function newDraw(context: CommandContext<LoanState>, request: CreateDrawRequest): NewDraw {
  const { state, env } = context;
  const checks: Checked[] = [];
  const references = { env, tenant: env.tenant, personId: recordOf(state).personId, company: companyOf(env, env.tenant) };
  const labels = checkLabels(references, request.labels ?? [], checks);
  const additionalPeople = checkPeople(references, request.additionalPeople ?? [], { known: [], today: todayOf(env, state) }, checks);
  const atOrigination = readDrawTerms(request.atOrigination ?? {});
  const drawType = request.drawType ?? 'regularPurchase';
  checkDrawTerms(context, { drawType, atOrigination }, checks);
  refuseFaults(checks);
  if (state.draws.length >= MAX_DRAWS) refuse('ruleViolation', `A line of credit has at most ${MAX_DRAWS} draws.`);
  return {
    draw: state.draws.length + 1,
    id: env.newId('LN'),
    externalId: request.externalId ?? null,
    drawType,
    status: request.status,
    nickname: request.nickname ?? 'Draw',
    isClosed: false,
    declineReason: readDeclineReason(request.declineReason),
    cancellationReason: null,
    labels,
    additionalPeople,
    metaData: request.metaData ?? null,
    atOrigination,
    rates: null,
    idBase: env.reserveIds(DRAW_IDS),
    timestamps: firstTimestamps(env.now, request.status),
  };
}

/** What the product says about a draw: its kind, and its rates where limits are enforced. */
export function checkDrawTerms(
  { state, env }: Pick<CommandContext<LoanState>, 'state' | 'env'>,
  { drawType, atOrigination }: { readonly drawType: Draw['drawType']; readonly atOrigination: DrawOrigination },
  checks: Checked[],
): void {
  const settings = currentSettings(loanTypeOf(env, state));
  if (settings.enforceRateLimits && atOrigination.interestRates !== null)
    checkRates({ interestRates: atOrigination.interestRates }, settings, checks);
  const allowed = settings.draws.drawTypes.filter((type) => type !== 'static');
  if (drawType !== 'static' && allowed.includes(drawType)) return;
  const message = drawType === 'static' ? 'static draws are made by a migration' : `the loan type allows no ${drawType} draws`;
  checks.push({ errorType: 'ruleViolation', path: 'drawType', expected: allowed.join(', '), message });
}
