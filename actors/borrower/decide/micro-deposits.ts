import { must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { openJson, sealJson } from '../contact-fields.js';
import { type InstrumentMove, mayMoveInstrument } from '../machine.js';
import type { Instrument, InstrumentFields, MicroDeposits, PersonState, Sealed } from '../state.js';
import { instrumentView, type InstrumentView, type VerifyBody } from '../views.js';
import { type Context, decided, fact, mustMove, onPerson, unguessable } from './common.js';

/** An instrument that was not deleted, by service id or `ext-` id. */
export function findInstrument(state: PersonState, anyId: string): Instrument | undefined {
  return state.instruments.find(
    ({ id, externalId, deletedAt }) => deletedAt === null && (id === anyId || (externalId !== null && `ext-${externalId}` === anyId)),
  );
}

export function instrumentOf({ state, command }: Context): Instrument {
  const anyId = command.params['paymentInstrumentId'] ?? '';
  return findInstrument(state, anyId) ?? refuse('notFound', `There is no payment instrument ${anyId}.`);
}

/** What a fact that changes an instrument repeats of it. */
export function fieldsOf(instrument: Instrument): InstrumentFields {
  const { createdAt: _c, updatedAt: _u, deletedAt: _d, activeAt: _a, inactiveAt: _i, pendingAt: _p, ...known } = instrument;
  const { microDeposits: _m, prenote: _n, link: _l, balances: _b, ...fields } = known;
  return fields;
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

/** After this many wrong tries the instrument becomes inactive. */
const MAX_WRONG_ATTEMPTS = 3;
/** At most this many sets of deposits are sent for one account. */
const MAX_SETS = 2;
/** Deposits can be verified for this long. */
const EXPIRY_MS = 14 * 24 * 3_600_000;

/** The deposits of test mode, where no bank statement shows them. */
const TEST_AMOUNTS = [32, 45] as const;

/** Verifies that the borrower can see the account: the body has the amounts of the two deposits, in any order. */
export const verifyInstrument = onPerson('paymentInstrument.verify', (context: Context<VerifyBody>) => {
  const { id: personId, state, env } = context;
  mustMove(state, 'update');
  const instrument = instrumentOf(context);
  mustMoveInstrument(instrument, 'verify');
  const deposits = openDeposits(instrument, env.now);
  const { id } = instrument;
  const opened = openJson<readonly number[]>(env, personId, 'instrument.microDeposits', id, deposits.amounts);
  const expected = must(opened, 'the amounts can be read');
  const { deposit1, deposit2 } = context.body;
  const inOrder = (amounts: readonly number[]): string => [...amounts].sort((a, b) => a - b).join();
  if (inOrder([deposit1, deposit2]) === inOrder(expected)) {
    return decided(context, [fact('InstrumentVerified', { id })], (after) => shown(after, id, env));
  }
  const isLast = deposits.wrongAttempts + 1 >= MAX_WRONG_ATTEMPTS;
  // The attempt is recorded, so it is not a refusal: the reply shows the state after it.
  const failed = fact('VerificationAttemptFailed', { id, reason: isLast ? 'verificationFailed' : null });
  return decided(context, [failed], (after) => shown(after, id, env), { message: 'The amounts do not match the deposits.' });
});

/** Sends a new set of deposits, once. */
export const sendMicroDeposits = onPerson('paymentInstrument.sendMicroDeposits', (context) => {
  const { id: personId, state, env } = context;
  mustMove(state, 'update');
  const instrument = instrumentOf(context);
  const { id, microDeposits } = instrument;
  if (instrument.isExternal || instrument.instrumentType !== 'bankAccount') {
    refuse('invalidState', `The payment instrument ${id} is not verified by deposits.`);
  }
  mustMoveInstrument(instrument, 'sendDeposits');
  if ((microDeposits?.sets ?? 0) >= MAX_SETS)
    refuse('invalidState', `Deposits for the payment instrument ${id} were already sent ${MAX_SETS} times.`);
  const sent = fact('MicroDepositsSent', { id, amounts: newDeposits(env, personId, id) });
  return decided(context, [sent], (after) => shown(after, id, env), { status: 202 });
});

function openDeposits({ id, microDeposits }: Instrument, now: number): MicroDeposits {
  if (!microDeposits) return refuse('invalidState', `No deposits were sent for the payment instrument ${id}. Send them first.`);
  if (now - microDeposits.sentAt > EXPIRY_MS)
    refuse('invalidState', `The deposits for the payment instrument ${id} have expired. Send new ones.`);
  return microDeposits;
}

/** Two amounts of 1 to 99 cents. */
export function newDeposits(env: DecideEnv, personId: string, instrumentId: string): Sealed {
  const hidden = unguessable(env);
  const secret = [1 + (hidden.readUInt32LE(0) % 99), 1 + (hidden.readUInt32LE(4) % 99)];
  const amounts = env.tenant.mode === 'test' ? TEST_AMOUNTS : secret;
  return sealJson(env, personId, 'instrument.microDeposits', instrumentId, amounts);
}
