import { companyOf } from '../../../company/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import { isPermitted } from '../../../permission.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import { toJsonText } from '../../../wire.js';
import { type Checked, refuseFaults } from '../../commands/check-terms.js';
import { checkLabels, checkPeople, readDeclineReason, requireDeclineReason } from '../../commands/references.js';
import { FORCE_PERMISSION } from '../../commands/update-terms.js';
import { recordOf, requireBody, requireCase, requirePerson, todayOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { Draw } from '../draw.js';
import type { DrawUpdated } from '../evolve.js';
import { checkDrawExternalId, drawOf, drawStatusOf, requireDrawMove } from '../find.js';
import { drawChart, type DrawMove, mayMoveDraw } from '../machine.js';
import { drawTermsFaults, readDrawTerms } from '../read-terms.js';
import type { DrawOriginationRequest, UpdateDrawQuery, UpdateDrawRequest } from '../types.js';
import { drawView, drawViewOf } from '../view.js';
import { checkDrawTerms } from './create.js';

/** `PUT D`: a pending draw changes in everything, a later one in its names and labels. */
export const updateDraw: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'draw.update',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    requirePerson(state, command.params['personId'], env);
    const draw = drawOf(state, command.params['drawId']);
    requireDrawMove(context, draw, 'update');
    const request = requireBody<UpdateDrawRequest>(context.body);
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

/** What stays editable in every status. */
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

/** What only a pending draw changes; sending it unchanged is no change. */
function termsOf(context: CommandContext<LoanState>, request: UpdateDrawRequest, draw: Draw, checks: Checked[]): Changes {
  const { state, env } = context;
  const references = { env, tenant: env.tenant, personId: recordOf(state).personId, company: companyOf(env, env.tenant) };
  const { additionalPeople, declineReason, drawType } = request;
  const standing = { known: draw.additionalPeople, today: todayOf(env, state) };
  const sent: Changes = {
    ...(additionalPeople === undefined ? {} : { additionalPeople: checkPeople(references, additionalPeople ?? [], standing, checks) }),
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
  // The stored terms in the form of a request: what the reply shows, read as a client would read it.
  const known = JSON.parse(toJsonText(drawView(state, env, draw).atOrigination)) as DrawOriginationRequest;
  const merged = { ...known, ...atOrigination };
  const errors = drawTermsFaults(merged);
  if (errors.length > 0) refuse('validationError', 'The terms have faults.', { errors });
  return { atOrigination: readDrawTerms(merged) };
}

function requireEditable({ state, env, command }: CommandContext<LoanState>, draw: Draw, field: string): void {
  const status = drawStatusOf(state, env, draw);
  if (mayMoveDraw(status, 'changeTerms')) return;
  const { force = false } = (command.query ?? {}) as UpdateDrawQuery;
  if (!force || field !== 'atOrigination' || !mayMoveDraw(status, 'forceTerms')) {
    refuseProperty(field, 'its present value', `It changes only while the draw is pending: the draw is ${status}.`);
  }
  if (!isPermitted(command.permissions, FORCE_PERMISSION)) {
    refuse('permissionDenied', `Changing the terms of an originated draw needs ${FORCE_PERMISSION}.`);
  }
}

/** What an update may order by naming the status that it leads to. */
const BY_UPDATE: ReadonlySet<DrawMove> = new Set<DrawMove>(['originate', 'decline', 'reopen']);

function statusOf({ state, env, command }: CommandContext<LoanState>, request: UpdateDrawRequest, draw: Draw): Changes {
  const status = drawStatusOf(state, env, draw);
  const { force = false } = (command.query ?? {}) as UpdateDrawQuery;
  if (request.status === undefined || request.status === status) return {};
  const move = drawChart.moveBetween(status, request.status);
  if (move !== undefined && BY_UPDATE.has(move) && (move !== 'reopen' || force)) return { status: request.status };
  return refuse('invalidState', `The draw is ${status}: an update does not make it ${request.status}.`, {
    errors: [{ path: 'status', expected: 'originated or declined, from pending', message: `the draw is ${status}` }],
  });
}

/** What an update would leave as it is does not count as changed. */
function differing(draw: object, changes: Changes): Changes {
  const known = draw as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(changes).filter(([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value)));
}
