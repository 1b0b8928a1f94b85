import { type Day, must } from '../../../engine/index.js';
import { amount, dateText, orNull } from '../../wire.js';
import { activationOf } from '../context.js';
import { periodId } from '../derived-ids.js';
import { loanEvent } from '../events.js';
import type { Activated } from '../state.js';
import type { Applying } from '../tell.js';
import { withLineTexts } from './activities.js';
import { figuresOf, type StatementRecord } from './record.js';

type Apply = { readonly [Type in keyof StatementFacts]: (applying: Applying, body: StatementFacts[Type]) => void };

export const APPLY_STATEMENTS: Apply = { StatementIssued: issued, StatementUpdated: updated, StatementOmitted: omitted };

const servicingIn = ({ state }: Applying): Activated => must(activationOf(state), `${state.id} has no ledger`);

function issued(applying: Applying, body: StatementIssued): void {
  const { state, fact, emit, env } = applying;
  const statement = withLineTexts(state, body.statement);
  const servicing = servicingIn(applying);
  const { by: createdBy, businessAt: at } = fact;
  servicing.statements = [...servicing.statements, { ...statement, createdBy, createdAt: at, updatedAt: at }];
  if (!statement.isTest && statement.dueDay > servicing.statedThrough) servicing.statedThrough = statement.dueDay;
  if (statement.isTest) return;
  emit?.(
    loanEvent(state, 'statement.created', {
      statementId: statement.id,
      periodId: periodId(env, state, statement.period),
      dueDate: dateText(statement.dueDay),
      amountDue: orNull(amount, figuresOf(statement).minimumDueAmount),
      documentId: statement.documentDescriptorId,
      version: statement.version,
    }),
  );
}

function updated(applying: Applying, { id, changes }: StatementUpdated): void {
  const servicing = servicingIn(applying);
  const updatedAt = applying.fact.businessAt;
  servicing.statements = servicing.statements.map((known) => (known.id === id ? { ...known, ...changes, updatedAt } : known));
}

function omitted(applying: Applying, { dueDay }: StatementOmitted): void {
  servicingIn(applying).statedThrough = dueDay;
}

export interface StatementFacts {
  readonly StatementIssued: StatementIssued;
  readonly StatementUpdated: StatementUpdated;
  readonly StatementOmitted: StatementOmitted;
}

/** A period of a line in which nothing was owed and nothing happened has no statement. */
export interface StatementOmitted {
  readonly dueDay: Day;
}

/** What a statement says; who made it and when is in the envelope. */
export type NewStatement = Omit<StatementRecord, 'createdBy' | 'createdAt' | 'updatedAt'>;

export interface StatementIssued {
  readonly statement: NewStatement;
  readonly caseId: string | null;
}

export type StatementChanges = Partial<Pick<StatementRecord, 'documentDescriptorId' | 'isExternal' | 'metaData' | 'figures'>>;

export interface StatementUpdated {
  readonly id: string;
  readonly changes: StatementChanges;
  readonly caseId: string | null;
}
