import { fieldsOf, ownJson } from '../../../engine/index.js';
import { companyOf, currentSettings } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { isPermitted } from '../../permission.js';
import { toJsonText } from '../../wire.js';
import { beginAction } from '../commands/order.js';
import { checkLabels, checkPeople, declineFaults, readDeclineReason, requireDeclineReason } from '../commands/references.js';
import { type Checked, checkRates, FORCE_PERMISSION, refuseFaults } from '../commands/update.js';
import { loanTypeOf, recordOf, requireCase, requirePerson, todayOf } from '../context.js';
import { firstTimestamps } from '../origination/read.js';
import type { LoanState } from '../state.js';
import {
  checkDrawExternalId,
  type Draw,
  DRAW_IDS,
  drawChart,
  type DrawMove,
  drawOf,
  type DrawOrigination,
  drawStatusOf,
  MAX_DRAWS,
  mayMoveDraw,
  type NewDraw,
  requireDrawMove,
} from './draw.js';
import type { DrawCreated, DrawUpdated } from './evolve.js';
import { drawTermsFaults, readDrawTerms } from './read-terms.js';
import type { CreateDrawRequest, DrawOriginationRequest, UpdateDrawQuery, UpdateDrawRequest } from './types.js';
import { drawView, drawViewOf } from './view.js';

/** `POST L/draws`: the line must be originated or active, not closed, and allow new draws. */
export const createDraw: CommandSpec<LoanState, CreateDrawRequest> = {
  kind: 'loan',
  type: 'draw.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'draw');
    const { state, env } = context;
    requireNewDraws(state);
    const errors = [
      ...declineFaults(request.status, readDeclineReason(request.declineReason)),
      ...drawTermsFaults(request.atOrigination ?? {}),
    ];
    if (errors.length > 0) refuse('validationError', 'The draw is not valid: see `errors`.', { errors });
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

/** 409 while the line allows no new draws and purchases. */
export function requireNewDraws(state: LoanState): void {
  const { newDrawsAllowed, isClosed } = recordOf(state);
  if (isClosed)
    refuse('invalidState', 'The line of credit is closed.', { errors: [{ path: 'isClosed', expected: 'false', message: 'is closed' }] });
  if (newDrawsAllowed) return;
  refuse('invalidState', 'The line of credit does not allow new draws.', {
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
  if (state.draws.length >= MAX_DRAWS) refuse('ruleViolation', `A line of credit can have at most ${MAX_DRAWS} draws.`);
  return {
    draw: state.draws.length + 1,
    id: env.newId('LN'),
    externalId: request.externalId ?? null,
    ...freedBy(request.status),
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

/** Checks a draw against the product: its kind, and its rates if limits are enforced. */
function checkDrawTerms(
  { state, env }: Pick<CommandContext<LoanState>, 'state' | 'env'>,
  { drawType, atOrigination }: { readonly drawType: Draw['drawType']; readonly atOrigination: DrawOrigination },
  checks: Checked[],
): void {
  const settings = currentSettings(loanTypeOf(env, state));
  if (settings.enforceRateLimits && atOrigination.interestRates !== null)
    checkRates({ interestRates: atOrigination.interestRates }, settings, checks);
  const allowed = settings.draws.drawTypes.filter((type) => type !== 'static');
  if (drawType !== 'static' && allowed.includes(drawType)) return;
  const message =
    drawType === 'static' ? 'static draws can only be created by a migration' : `the loan type does not allow ${drawType} draws`;
  checks.push({ errorType: 'ruleViolation', path: 'drawType', expected: allowed.join(', '), message });
}

/** `PUT D`: everything of a pending draw can change, of any other draw only names and labels. */
export const updateDraw: CommandSpec<LoanState, UpdateDrawRequest, UpdateDrawQuery> = {
  kind: 'loan',
  type: 'draw.update',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command, body: request } = context;
    requirePerson(state, command.params['personId'], env);
    const draw = drawOf(state, command.params['drawId']);
    requireDrawMove(context, draw, 'update');
    requireCase(env, state, command, request.caseId);
    const checks: Checked[] = [];
    const changes = differing(draw, {
      ...namesOf(context, request, checks),
      ...termsOf(context, request, draw, checks),
      ...statusOf(context, request, draw),
    });
    refuseFaults(checks);
    if (changes.status !== undefined || changes.declineReason !== undefined) requireDeclineReason(draw, changes);
    if (changes.externalId !== undefined) checkDrawExternalId(context, changes.externalId);
    const body: DrawUpdated = { drawId: draw.id, changes };
    return {
      facts: Object.keys(changes).length === 0 ? [] : [{ type: 'DrawUpdated', body }],
      preview: request.previewMode === true,
      reply: (after) => ({ data: drawViewOf(after, env, draw.id), sealedFor: recordOf(state).personId }),
    };
  },
};

type Changes = DrawUpdated['changes'];
type Updating = CommandContext<LoanState, unknown, UpdateDrawQuery>;

/** Fields that can change in every status. */
function namesOf({ state, env }: CommandContext<LoanState>, request: UpdateDrawRequest, checks: Checked[]): Changes {
  const { externalId, nickname, metaData, labels } = request;
  const references = { env, tenant: env.tenant, personId: recordOf(state).personId, company: companyOf(env, env.tenant) };
  return {
    ...(externalId === undefined ? {} : { externalId }),
    ...(nickname === undefined ? {} : { nickname: nickname ?? 'Draw' }),
    ...(metaData === undefined ? {} : { metaData }),
    ...(labels === undefined ? {} : { labels: checkLabels(references, labels ?? [], checks) }),
  };
}

/** Fields that can change only while the draw is pending. Sending them unchanged is always accepted. */
function termsOf(context: Updating, request: UpdateDrawRequest, draw: Draw, checks: Checked[]): Changes {
  const { state, env } = context;
  const references = { env, tenant: env.tenant, personId: recordOf(state).personId, company: companyOf(env, env.tenant) };
  const { additionalPeople, declineReason, drawType } = request;
  const knownPeople = { known: draw.additionalPeople, today: todayOf(env, state) };
  const sent: Changes = {
    ...(additionalPeople === undefined ? {} : { additionalPeople: checkPeople(references, additionalPeople ?? [], knownPeople, checks) }),
    ...(declineReason === undefined ? {} : { declineReason: readDeclineReason(declineReason) }),
    ...(drawType === undefined ? {} : { drawType }),
    ...changedTerms(context, request, draw),
  };
  const changed = differing(draw, sent);
  const [field] = Object.keys(changed);
  if (field === undefined) return {};
  requireEditable(context, draw, field);
  checkDrawTerms(
    context,
    { drawType: changed.drawType ?? draw.drawType, atOrigination: changed.atOrigination ?? draw.atOrigination },
    checks,
  );
  return changed;
}

function changedTerms({ state, env }: CommandContext<LoanState>, { atOrigination }: UpdateDrawRequest, draw: Draw): Changes {
  if (atOrigination === undefined) return {};
  // The stored terms as a request: a client may send back what it has read.
  const known = ownJson<DrawOriginationRequest>(toJsonText(drawView(state, env, draw).atOrigination));
  const merged = { ...known, ...atOrigination };
  const errors = drawTermsFaults(merged);
  if (errors.length > 0) refuse('validationError', 'The terms are not valid: see `errors`.', { errors });
  return { atOrigination: readDrawTerms(merged) };
}

function requireEditable({ state, env, command }: Updating, draw: Draw, field: string): void {
  const status = drawStatusOf(state, env, draw);
  if (mayMoveDraw(status, 'changeTerms')) return;
  const { force = false } = command.query ?? {};
  if (!force || field !== 'atOrigination' || !mayMoveDraw(status, 'forceTerms')) {
    refuseProperty(field, 'its present value', `This field can only be changed while the draw is pending. The draw is ${status}.`);
  }
  if (!isPermitted(command.permissions, FORCE_PERMISSION)) {
    refuse('permissionDenied', `To change the terms of an originated draw you need the permission ${FORCE_PERMISSION}.`);
  }
}

/** Moves that an update can make by naming the new status. */
const BY_UPDATE: ReadonlySet<DrawMove> = new Set<DrawMove>(['originate', 'decline', 'reopen']);

function statusOf({ state, env, command }: Updating, request: UpdateDrawRequest, draw: Draw): Changes {
  const status = drawStatusOf(state, env, draw);
  const { force = false } = command.query ?? {};
  if (request.status === undefined || request.status === status) return {};
  const move = drawChart.moveBetween(status, request.status);
  if (move !== undefined && BY_UPDATE.has(move) && (move !== 'reopen' || force))
    return { status: request.status, ...freedBy(request.status) };
  return refuse('invalidState', `The draw is ${status}. An update cannot set its status to ${request.status}.`, {
    errors: [{ path: 'status', expected: 'originated or declined, from pending', message: `the draw is ${status}` }],
  });
}

/** A declined draw frees its external id, as a canceled one does. */
const freedBy = (status: Draw['status']): Pick<Draw, 'areExternalIdsFree'> => (status === 'declined' ? { areExternalIdsFree: true } : {});

/** Only the fields whose values differ from the stored ones. */
function differing(draw: object, changes: Changes): Changes {
  const known = fieldsOf(draw);
  return Object.fromEntries(Object.entries(changes).filter(([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value)));
}
