import type { Day } from '../../../engine/index.js';
import { companyOf, isByFiles, prenotesOf, processorsOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec, QueryOf, QuerySpec } from '../../kernel/actor.js';
import { orderedPageOf } from '../../list-order.js';
import { awaitsPrenote, prenoteStatus } from '../prenote.js';
import { DEACTIVATING, failureReasonOf } from '../questions.js';
import type { PersonState } from '../state.js';
import { type AwaitingDeposits, type AwaitingDepositsQuery, BY_OWNER, ofBank, type OwnedInstrument, processorOf } from './bank-files.js';
import { decided, done, fact, mustMove, onPerson } from './common.js';
import { instrumentOf, shown } from './micro-deposits.js';

/*
 * Prenotes of bank accounts: entries of zero that go out before money does. A processor orders them for new accounts, a user for any.
 */

/** `POST …/prenote`: the account is checked by a prenote before the next entry goes to it. */
const orderPrenote = onPerson('paymentInstrument.orderPrenote', (context) => {
  const { state, env } = context;
  mustMove(state, 'update');
  const { id, instrumentType, isExternal, status, prenote } = instrumentOf(context);
  if (isExternal || instrumentType !== 'bankAccount')
    refuse('invalidState', `The payment instrument ${id} is no bank account that the service debits.`);
  if (status !== 'active') refuse('invalidState', `The payment instrument ${id} is ${status}: only an active account gets a prenote.`);
  if (prenoteStatus(prenote) === 'ordered') refuse('invalidState', `A prenote of the payment instrument ${id} waits for its file already.`);
  const isActive = [...processorsOf(companyOf(env, env.tenant)).values()].some(
    ({ stored }) => stored.status === 'active' && isByFiles(stored),
  );
  if (!isActive) refuse('businessValidation', 'No payment processor that moves money by files is active.');
  return decided(context, [fact('PrenoteOrdered', { id })], (after) => shown(after, id, env), { status: 202 });
});

export const prenotesAwaitingFile: QuerySpec<PersonState> = {
  kind: 'person',
  type: 'paymentInstrument.prenotesAwaitingFile',
  on: 'tenant',
  read({ query: { processorId, until, ...page }, env }: QueryOf<AwaitingDepositsQuery>) {
    const stored = processorsOf(companyOf(env, env.tenant)).get(processorId)?.stored;
    const isOn = stored !== undefined && prenotesOf(stored).isOn;
    const { rows } = env.list('person', { matches: ({ fields }) => fields['awaitsPrenote'] === true, limit: Number.MAX_SAFE_INTEGER });
    const found = rows.flatMap(({ id: personId, createdStamp }): readonly OwnedInstrument[] => {
      const person = env.read<PersonState>('person', personId);
      const waiting =
        person?.instruments.filter(
          (each) => awaitsPrenote(each) && (isOn || each.prenote?.isByHand === true) && (each.prenote?.orderedAt ?? 0) <= until,
        ) ?? [];
      if (waiting.length === 0 || processorOf(env, personId) !== processorId) return [];
      return waiting.map(({ id }) => ({ id, instrumentId: id, personId, ownerStamp: createdStamp }));
    });
    return orderedPageOf(found, page, {
      view: ({ instrumentId, personId }): AwaitingDeposits => ({ instrumentId, personId }),
      externalIdOf: () => null,
      order: BY_OWNER,
    });
  },
};

export interface PrenoteFiledBody {
  readonly achFileId: string;
  readonly entryDay: Day;
}

/** The file with the prenote was uploaded. */
const filePrenote = ofBank<PrenoteFiledBody>('paymentInstrument.prenoteFiled', ({ body }, { id, prenote }) =>
  done(prenote == null || prenoteStatus(prenote) === 'sent' ? [] : [fact('PrenoteFiled', { id, ...body })]),
);

export interface PrenoteReturnedBody {
  readonly achFileId: string;
  readonly returnCode: string;
}

/** The bank has sent the prenote back: the account cannot be charged, whatever the code. A return of an earlier prenote changes nothing. */
const returnPrenote = ofBank<PrenoteReturnedBody>(
  'paymentInstrument.prenoteReturned',
  ({ body: { achFileId, returnCode } }, { id, prenote, status, deletedAt }) => {
    if (prenoteStatus(prenote) !== 'sent' || prenote?.fileId !== achFileId) return done([]);
    const returned = fact('PrenoteReturned', { id, returnCode });
    if (status === 'inactive' || deletedAt !== null) return done([returned]);
    const failureReason = failureReasonOf(returnCode);
    const reason = DEACTIVATING[failureReason] ?? 'verificationFailed';
    return done([returned, fact('InstrumentDeactivated', { id, reason, failureReason })]);
  },
);

export const prenoteCommands: readonly CommandSpec<PersonState>[] = [orderPrenote, filePrenote, returnPrenote];
