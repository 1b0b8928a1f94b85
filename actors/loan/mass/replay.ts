import type { tags } from 'typia';
import type { CompanyState } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv } from '../../kernel/actor.js';
import type { MassOrder } from '../../kernel/jobs/mass-facts.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import { type DateText, dayOfText, type Text } from '../../wire.js';
import { activatedOf, effectiveOn, todayOf } from '../context.js';
import { replayFact } from '../commands/replay.js';
import type { LoanState } from '../state.js';
import type { LoanFilter } from '../queries/filters.js';
import { type LoanSelection, selectLoans } from './selection.js';

/** Replays many loans: by name, as a list filters them, or all. Each is computed again from a date on, under today's configuration. */
export interface ReplayManyRequest extends LoanFilter {
  readonly loanIds?: readonly (string & tags.MaxLength<60>)[] & tags.MinItems<1> & tags.MaxItems<1000>;
  /** All loans that can be replayed; nobody asks for that by leaving something out. */
  readonly all?: boolean;
  /** From the activation of each when it is later, or absent. */
  readonly fromDate?: DateText | null;
  readonly reason?: Text | null;
  /** Computes and compares; nothing is recorded. */
  readonly dryRun?: boolean;
  /** Waits for `resume`; until then it can be canceled as if it had never been. */
  readonly hold?: boolean;
}

/** `POST /operations/replays`, a command of the company: the order is one fact, which all shards hear of. */
export const orderReplays: CommandSpec<CompanyState> = {
  kind: 'company',
  type: 'operation.replay',
  place: { on: 'target' },
  catchUpFirst: false,
  decide({ body, env, command }) {
    const { fromDate = null, reason = null, dryRun = false, hold = false, ...asked } = body as ReplayManyRequest;
    const filter = selectionOf(asked, env);
    selectLoans(filter, env); // what is no filter is refused here
    if (fromDate !== null) dayOfText(fromDate);
    const operationId = operationIdOf(command.commandId);
    const order: MassOrder = {
      kind: 'loan.replay',
      resultObjectId: null,
      isDryRun: dryRun,
      isHeld: hold,
      supposing: [],
      task: {
        type: 'command',
        command: replayFrom.type,
        selection: { kind: 'loan', filter },
        body: { fromDate, reason } satisfies ReplayFrom,
      },
    };
    return { facts: [{ type: 'MassOrdered', body: order }], reply: () => ({ data: { operationId }, status: 202, operationId }) };
  },
};

function selectionOf({ all = false, loanIds, ...filter }: ReplayManyRequest, env: DecideEnv): LoanSelection {
  if (!all && loanIds === undefined && Object.keys(filter).length === 0) {
    refuseProperty('all', 'loanIds, a filter, or all', 'Say which loans are to be replayed.');
  }
  return { ...filter, canReplay: true, ...(loanIds === undefined ? {} : { loanIds: loanIds.map((anyId) => idOf(anyId, env)) }) };
}

function idOf(anyId: string, env: DecideEnv): string {
  if (!anyId.startsWith('ext-')) return anyId;
  return env.findExternal(env.tenant, 'loan', anyId.slice(4)) ?? refuse('notFound', `There is no loan ${anyId}.`);
}

interface ReplayFrom {
  readonly fromDate: string | null;
  readonly reason: string | null;
}

/** The replay of one of many: never from before its activation. */
export const replayFrom: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.replayFrom',
  place: { on: 'target' },
  decide(context: CommandContext<LoanState>) {
    const { state, env, body } = context;
    const { fromDate, reason } = body as ReplayFrom;
    const { activation } = activatedOf(state).contract.terms;
    const isWhole = fromDate === null || dayOfText(fromDate) <= activation;
    const from = isWhole ? activation : effectiveOn(env, state, fromDate, 'fromDate').day;
    return {
      facts: [replayFact(context, { from, through: todayOf(env, state), reason, caseId: null })],
      reply: () => ({ data: undefined }),
    };
  },
};
