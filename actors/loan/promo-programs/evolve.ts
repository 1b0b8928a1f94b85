import { type Cents, type Day, must } from '../../../engine/index.js';
import { type FieldChange, fieldChanges } from '../../kernel/fact.js';
import { dateText } from '../../wire.js';
import { drawIdOf } from '../draws/draw.js';
import { loanEvent } from '../events.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../applying.js';
import {
  effectiveEnd,
  type Exercise,
  type PromoCancelReason,
  type PromoDetails,
  type PromoMove,
  type PromoProgram,
  statusAfter,
} from './program.js';

/** Applies the facts of promo programs, and emits their events. */
export const APPLY_PROMO_PROGRAMS: {
  readonly [Type in keyof PromoFacts]: (applying: Applying, body: PromoFacts[Type]) => void;
} = {
  PromoProgramMade: made,
  PromoProgramChanged: changed,
  PromoProgramMoved: moved,
};

function made(applying: Applying, body: PromoDetails): void {
  const { state, fact } = applying;
  const program: PromoProgram = {
    status: 'pending',
    rateId: null,
    weighedCents: 0,
    exercise: null,
    waivedCents: null,
    cancelReason: null,
    canceledBy: null,
    createdAt: fact.businessAt,
    activatedAt: null,
    reactivatedAt: null,
    canceledAt: null,
    exercisedAt: null,
    ...body,
  };
  state.promoPrograms = [...state.promoPrograms, program];
  emitProgram(applying, 'loan.promoprogram.created', program, []);
}

function changed(applying: Applying, { programId, changes, caseId }: PromoProgramChanged): void {
  const before = programOf(applying.state, programId);
  const program = { ...before, ...changes, caseId: caseId ?? before.caseId };
  put(applying.state, program);
  emitProgram(applying, 'loan.promoprogram.updated', program, published(fieldChanges(shown(before), shown(program))));
}

function moved(applying: Applying, body: PromoProgramMoved): void {
  const { state, fact } = applying;
  const { move, rateId, cancelReason } = body;
  const before = programOf(state, body.programId);
  const status = statusAfter(before.status, move);
  const at = fact.businessAt;
  const program: PromoProgram = {
    ...before,
    status,
    rateId: rateId ?? before.rateId,
    weighedCents: body.weighedCents,
    exercise: move === 'withdraw' ? null : (body.exercise ?? before.exercise),
    waivedCents: move === 'withdraw' ? null : (body.waivedCents ?? before.waivedCents),
    cancelReason,
    canceledBy: move === 'cancel' ? fact.by : null,
    caseId: body.caseId ?? before.caseId,
    activatedAt: move === 'activate' ? at : before.activatedAt,
    reactivatedAt: move === 'reactivate' ? at : before.reactivatedAt,
    canceledAt: move === 'cancel' ? at : before.canceledAt,
    exercisedAt: move === 'exercise' ? at : move === 'withdraw' ? null : before.exercisedAt,
  };
  put(state, program);
  if (move === 'weigh') return;
  const isActivated = move === 'activate' || move === 'reactivate';
  emitProgram(
    applying,
    isActivated ? 'loan.promoprogram.activated' : 'loan.promoprogram.updated',
    program,
    fieldChanges({ status: before.status }, { status }),
  );
}

/** Emits an event of a promo program. */
function emitProgram({ state, emit }: Applying, eventType: string, program: PromoProgram, changes: readonly FieldChange[]): void {
  emit?.(
    loanEvent(state, eventType, {
      promoProgramId: program.id,
      ...(program.draw === null ? {} : { drawId: drawIdOf(state, program.draw) }),
      promoTypeId: program.promoTypeId,
      status: program.status,
      startDate: dateText(program.startDay),
      endDate: dateText(effectiveEnd(program)),
      changes,
    }),
  );
}

/** Events say that an external id changed, but not its values. */
const published = (changes: readonly FieldChange[]): readonly FieldChange[] =>
  changes.map((change) => (change.field === 'externalId' ? { field: change.field, oldValue: null, newValue: null } : change));

/** Fields that can change, by their names in the interface. */
const shown = (program: PromoProgram): Readonly<Record<string, unknown>> => ({
  externalId: program.externalId,
  promoStartDate: dateText(program.startDay),
  promoEndDate: dateText(program.endDay),
  promoGracePeriodDays: program.graceDays,
  disqualifyOverdueDays: program.disqualifyOverdueDays,
});

function put(state: LoanState, program: PromoProgram): void {
  state.promoPrograms = state.promoPrograms.map((known) => (known.id === program.id ? program : known));
}

const programOf = (state: LoanState, id: string): PromoProgram =>
  must(
    state.promoPrograms.find((program) => program.id === id),
    `${state.id} knows no promo program ${id}`,
  );

/** Facts of promo programs. The promo rate of a program is a fact of rates, which follows in the same batch. */
export interface PromoFacts {
  readonly PromoProgramMade: PromoDetails;
  readonly PromoProgramChanged: PromoProgramChanged;
  readonly PromoProgramMoved: PromoProgramMoved;
}

export interface PromoProgramChanged {
  readonly programId: string;
  /** The fields that change, with their new values. */
  readonly changes: Partial<Pick<PromoDetails, 'externalId' | 'metaData' | 'startDay' | 'endDay' | 'graceDays' | 'disqualifyOverdueDays'>>;
  readonly caseId: string | null;
}

export interface PromoProgramMoved {
  readonly programId: string;
  readonly move: Exclude<PromoMove, 'change'>;
  readonly day: Day;
  /** The promo rate that this move adds. */
  readonly rateId: string | null;
  /** The money paid by then. */
  readonly weighedCents: number;
  readonly exercise: Exercise | null;
  readonly waivedCents: Cents | null;
  readonly cancelReason: PromoCancelReason | null;
  readonly caseId: string | null;
}
