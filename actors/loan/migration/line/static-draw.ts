import { firstTimestamps } from '../../origination/timestamps.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import type { DrawCreated } from '../../draws/evolve.js';
import { readDrawTerms } from '../../draws/read-terms.js';
import { recordOf } from '../../context.js';
import type { LoanRecord, LoanState } from '../../state.js';
import type { MigrationChanged } from '../evolve.js';

/** What the preparation of a new loan records: of a line also the draw that holds its history. */
export function preparation(migration: MigrationChanged, product: LoanRecord['type'], env: DecideEnv): readonly FactDraft[] {
  const changed: FactDraft = { type: 'MigrationChanged', body: migration };
  return product === 'lineOfCredit' && migration.move === 'prepare' ? [staticDraw(env, 1), changed] : [changed];
}

/** The same of a loan that exists: a line has one such draw. */
export function preparationLater(state: LoanState, env: DecideEnv, migration: MigrationChanged): readonly FactDraft[] {
  const changed: FactDraft = { type: 'MigrationChanged', body: migration };
  const lacksDraw =
    recordOf(state).type === 'lineOfCredit' && migration.move === 'prepare' && !state.draws.some(({ drawType }) => drawType === 'static');
  return lacksDraw ? [staticDraw(env, state.draws.length + 1), changed] : [changed];
}

function staticDraw(env: DecideEnv, draw: number): FactDraft {
  const body: DrawCreated = {
    draw: {
      draw,
      id: env.newId('LN'),
      externalId: null,
      drawType: 'static',
      status: 'originated',
      nickname: 'History',
      isClosed: false,
      declineReason: null,
      cancellationReason: null,
      labels: [],
      additionalPeople: [],
      metaData: null,
      atOrigination: readDrawTerms({}),
      rates: null,
      timestamps: firstTimestamps(env.now, 'originated'),
    },
    caseId: null,
  };
  return { type: 'DrawCreated', body };
}
