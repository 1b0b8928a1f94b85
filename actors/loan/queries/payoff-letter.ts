import { type PeriodView, ZERO } from '../../../engine/index.js';
import { type PersonState, personWithoutUser, type StoredContentBody } from '../../borrower/index.js';
import { companyOf, currentSettings } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { amount, dateText, type DateText, dayOfText, toJsonText } from '../../wire.js';
import { type Checked, checkTerms } from '../commands/update.js';
import { activationOf, loanTypeOf, recordOf, requirePerson } from '../context.js';
import { periodId } from '../derived-ids.js';
import { obligationsIn, overdueIn, periodsIn, type RunningLedger, runningOn } from '../ledger/running.js';
import { contractOf } from '../origination/contract.js';
import type { PayoffLetterRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { amountsValidation, ratesValidation, scheduleReply } from '../views/loan.js';
import { isMigratedPeriod, obligationReply, payoffLetterHtml } from '../views/obligation.js';
import type { ObligationsReply, PeriodReply } from '../views/read-types.js';
import type { AmountsValidationView, RatesValidationView } from '../views/types.js';
import { payoffReply } from './balances.js';

/** A letter before it is recorded. Only the gateway uses it, to make the pages. */
export interface PayoffLetterDraft {
  readonly html: string;
  /** The figures of the letter as text: the recorded letter must have the same figures. */
  readonly figures: string;
}

/** The command that the gateway makes of a request, after it has stored the content of the letter. */
export interface PayoffLetterCommand extends PayoffLetterRequest, PayoffLetterDraft {
  readonly rendered: StoredContentBody;
}

/** The letter that `POST L/payoff-letter` will record. */
export const draftPayoffLetter: QuerySpec<LoanState, PayoffLetterRequest> = {
  kind: 'loan',
  type: 'loan.payoffLetter',
  on: 'target',
  read({ state, env, query, request }): PayoffLetterDraft {
    requirePerson(state, request.params['personId'], env);
    const { personId, zone } = recordOf(state);
    const figures = payoffReply(state, env, query.payoffDate);
    const { profile } = companyOf(env, state.tenant);
    const person = env.read<PersonState>('person', personId);
    const { name = null, businessDetails = null } = person ? personWithoutUser(person, env) : {};
    const borrower = businessDetails?.businessName ?? ([name?.firstName, name?.lastName].filter((part) => part != null).join(' ') || null);
    const html = payoffLetterHtml({
      lender: profile?.brandName ?? profile?.name ?? null,
      borrower,
      loanId: state.id,
      writtenOn: dateText(env.today(zone)),
      figures,
    });
    return { html, figures: toJsonText(figures) };
  },
};

export interface ValidateLoanReply {
  readonly ratesValidation: RatesValidationView;
  readonly amountsValidation: AmountsValidationView | null;
  /** `isValid` is null while the address is not verified. */
  readonly addressValidation: { readonly isValid: boolean | null };
  readonly issues: readonly { readonly field: string; readonly message: string }[];
}

/** `POST L/validate`: checks rates and amounts against the product and the service's own amortization; nothing changes. */
export const validateLoan: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.validate',
  on: 'target',
  read({ state, env, request }): ValidateLoanReply {
    requirePerson(state, request.params['personId'], env);
    const { atOrigination, zone, type } = recordOf(state);
    const loanType = loanTypeOf(env, state);
    const today = env.today(zone);
    const checks: Checked[] = [];
    checkTerms({ atOrigination, loanType, today }, checks);
    const rates = ratesValidation(state, env);
    const settings = currentSettings(loanType);
    const amounts =
      amountsValidation(state) ??
      (checks.length > 0 || type === 'lineOfCredit' || atOrigination.expectedPayments !== null
        ? null
        : contractOf({ origination: atOrigination, settings, day: today, mode: 'reAmortize' }).amountsValidation);
    return {
      ratesValidation: rates,
      amountsValidation: amounts,
      addressValidation: { isValid: null },
      issues: [
        ...checks.map(({ path, message }) => ({ field: path, message })),
        ...flagged(rates, true, 'is outside of the limits of the loan type'),
        ...(amounts === null ? [] : flagged(amounts, false, 'does not match the amortization of the service')),
      ],
    };
  },
};

function flagged(flags: object, bad: boolean, message: string): readonly { readonly field: string; readonly message: string }[] {
  return Object.entries(flags).flatMap(([field, value]) => (value === bad ? [{ field, message }] : []));
}

/** `fromDate` and `toDate` must be given together and match overlapping periods; `dueDate` matches one period. */
export interface PeriodsQuery {
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
  readonly dueDate?: DateText;
}

export interface ObligationsQuery extends PeriodsQuery {
  readonly periodId?: string;
  readonly status?: 'unfulfilled' | 'overdue';
  readonly isOpen?: boolean;
}

type Context<Query = unknown> = QueryContext<LoanState, Query>;

export const getExpectedPayments: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.expectedPayments',
  on: 'target',
  read({ state, env, request }) {
    requirePerson(state, request.params['personId'], env);
    return scheduleReply(state, env);
  },
};

export const listPeriods: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.periods',
  on: 'target',
  read(context): readonly PeriodReply[] {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    return periodsAsked(context).map((period) => periodReply(period, state, context));
  },
};

export const getPeriod: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.period',
  on: 'target',
  read(context): PeriodReply {
    const { state, env, request } = context;
    requirePerson(state, request.params['personId'], env);
    const id = request.params['loanPeriodId'] ?? '';
    const period = periodsNow(context).find(({ ordinal }) => periodId(env, state, ordinal) === id);
    return periodReply(period ?? refuse('notFound', `The loan has no period ${id}.`), state, context);
  },
};

export const listObligations: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.obligations',
  on: 'target',
  read: (context) => obligationsReply(context, null),
};

/** Obligations of the loan, or of one draw of a line. */
export function obligationsReply(context: Context, draw: number | null): ObligationsReply {
  const { state, env, request } = context;
  requirePerson(state, request.params['personId'], env);
  const query = (context.query ?? {}) as ObligationsQuery;
  if (activationOf(state) === null)
    return { isLocked: false, isOverdue: false, overdueAmount: amount(ZERO), daysOverdue: 0, obligations: [] };
  const ledger = ledgerNow(context);
  const overdue = overdueIn(ledger);
  const periods = new Map(periodsAsked(context).map((period) => [period.ordinal, periodId(env, state, period.ordinal)]));
  const obligations = obligationsIn(ledger, draw).filter(
    (obligation) =>
      periods.has(obligation.period) &&
      (query.periodId === undefined || periods.get(obligation.period) === query.periodId) &&
      (query.status === undefined || (query.status === 'overdue' ? obligation.isOverdue : !obligation.isFulfilled)) &&
      (query.isOpen === undefined || obligation.isOpen === query.isOpen),
  );
  return {
    isLocked: false,
    isOverdue: overdue.isOverdue,
    overdueAmount: amount(overdue.overdueCents),
    daysOverdue: overdue.daysOverdue,
    obligations: obligations.map((obligation) => obligationReply(obligation, state, env)),
  };
}

const ledgerNow = ({ state, env }: Context): RunningLedger => runningOn(state, env, env.today(recordOf(state).zone));

function periodsNow(context: Context): readonly PeriodView[] {
  return activationOf(context.state) === null ? [] : periodsIn(ledgerNow(context));
}

function periodsAsked(context: Context): readonly PeriodView[] {
  const { fromDate, toDate, dueDate } = (context.query ?? {}) as PeriodsQuery;
  if ((fromDate === undefined) !== (toDate === undefined)) {
    const path = fromDate === undefined ? 'fromDate' : 'toDate';
    refuse('badRequest', 'Send both `fromDate` and `toDate`.', {
      errors: [{ path, expected: 'fromDate and toDate together', message: 'is missing' }],
    });
  }
  const periods = periodsNow(context);
  const due = dueDate === undefined ? null : dayOfText(dueDate);
  const from = fromDate === undefined ? null : dayOfText(fromDate);
  const to = toDate === undefined ? null : dayOfText(toDate);
  return periods.filter(
    (period) =>
      (due === null || period.dueDay === due) && (from === null || to === null || (period.startDay <= to && period.endDay >= from)),
  );
}

const periodReply = (period: PeriodView, state: LoanState, { env }: Context): PeriodReply => ({
  object: 'loanPeriod',
  id: periodId(env, state, period.ordinal),
  startDate: dateText(period.startDay),
  endDate: dateText(period.endDay),
  statementDate: dateText(period.statementDay),
  dueDate: dateText(period.dueDay),
  status: period.status,
  isMigrated: isMigratedPeriod(state, period),
});
