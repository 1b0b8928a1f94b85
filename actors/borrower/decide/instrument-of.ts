import type { DecideEnv } from '../../kernel/actor.js';
import { refuse } from '../../errors.js';
import { type InstrumentMove, mayMoveInstrument } from '../machine.js';
import { must } from '../../../engine/index.js';
import type { Instrument, PersonState } from '../state.js';
import type { InstrumentView } from '../instrument-wire.js';
import type { Context } from './common.js';
import { instrumentView } from '../views.js';

/** An instrument that is there, by service id or `ext-` id. */
export function findInstrument(state: PersonState, anyId: string): Instrument | undefined {
  return state.instruments.find(
    ({ id, externalId, deletedAt }) => deletedAt === null && (id === anyId || (externalId !== null && `ext-${externalId}` === anyId)),
  );
}

export function instrumentOf({ state, command }: Context): Instrument {
  const anyId = command.params['paymentInstrumentId'] ?? '';
  return findInstrument(state, anyId) ?? refuse('notFound', `There is no payment instrument ${anyId}.`);
}

export function mustMoveInstrument({ id, status }: Instrument, move: InstrumentMove): void {
  if (!mayMoveInstrument(status, move)) refuse('invalidState', `The payment instrument ${id} is ${status}: ${move} is not possible.`);
}

export function shown(after: PersonState, instrumentId: string, env: DecideEnv): InstrumentView {
  const instrument = must(
    after.instruments.find(({ id }) => id === instrumentId),
    'the instrument is there',
  );
  return instrumentView(after, instrument, env);
}
