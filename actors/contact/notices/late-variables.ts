import { ownJson, type Subject } from '../../../engine/index.js';
import { type LoanState, loanView, scheduleRows, statusOf, type ViewEnv } from '../../loan/index.js';
import { toJsonText } from '../../wire.js';
import type { InteractionState } from '../interactions/index.js';
import type { MessageSubjects } from '../messages/index.js';

type Variables = Readonly<Record<string, unknown>>;

/**
 * Variables of a notice that are read when it is written: the status of its loan, and what the loan asks for from now on. Plain data, in
 * the form of replies.
 */
export function lateVariables(env: ViewEnv, { subject }: Pick<InteractionState, 'subject'>, { loan }: MessageSubjects): Variables {
  if (loan === null) return {};
  const variables = subject === null ? undefined : BY_SUBJECT[subject];
  return { loanStatus: statusOf(loan), ...(variables && ownJson<Variables>(toJsonText(variables(loan, env)))) };
}

type Read = (loan: LoanState, env: ViewEnv) => Variables;

const withSchedule: Read = (loan, env) => ({ schedule: comingRows(loan, env) });

const comingRows = (loan: LoanState, env: ViewEnv): readonly unknown[] =>
  scheduleRows(loan, env).filter(({ status }) => status === 'booked' || status === 'projected');

const BY_SUBJECT: Partial<Readonly<Record<Subject, Read>>> = {
  loanDetails(loan, env) {
    const { aprNominalAtActivation, atOrigination } = loanView(loan, env);
    return { ...withSchedule(loan, env), apr: aprNominalAtActivation, fees: atOrigination?.fees ?? null };
  },
  autopayEnabled: (loan, env) => ({ paymentSchedule: comingRows(loan, env) }),
  loanPaymentScheduleChanged: withSchedule,
  dueDateDeferred: withSchedule,
  scheduleDeferred: withSchedule,
  dueDatesChanged: withSchedule,
  loanTermsChanged: withSchedule,
  paymentPlanCreated: withSchedule,
  paymentPlanCanceled: withSchedule,
  scraTermsSet: withSchedule,
};
