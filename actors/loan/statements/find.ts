import type { PeriodView } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activatedOf, activationOf } from '../context.js';
import { periodId } from '../derived-ids.js';
import { periodsIn, runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { StatementRecord } from './record.js';

/** 404 when the loan has no such statement. */
export function statementOf(state: LoanState, id: string | undefined): StatementRecord {
  const found = activationOf(state)?.statements.find((statement) => statement.id === id);
  return found ?? refuse('notFound', `The loan has no statement ${id ?? ''}.`);
}

/** The period that an id names; 404 when the loan has none such. */
export function periodNamed(state: LoanState, env: EvolveEnv, id: string | undefined): PeriodView {
  activatedOf(state);
  const found = periodsIn(runningOf(state, env)).find(({ ordinal }) => periodId(env, state, ordinal) === id);
  return found ?? refuse('notFound', `The loan has no period ${id ?? ''}.`);
}

/** The statement that an id names, for whoever writes about it. */
export const findStatement = (state: LoanState, id: string): StatementRecord | undefined =>
  activationOf(state)?.statements.find((statement) => statement.id === id);
