import { conflictOf, implicitTheme, isWrittenDisclosure, RATE_ONE, type Subject } from '../../engine/index.js';
import { type Fault, Refusal, refuse } from '../errors.js';
import { keepingOf } from './keeping.js';
import { LOAN_TYPE_DEFAULTS } from './loan-type-sections.js';
import type { BalanceComponent, ScheduledPart, LoanTypeSettings } from './loan-type-settings.js';
import type { SettingsBody } from './loan-type-wire.js';
import { isReminderSubject } from './reminders.js';

const PARTS: readonly ScheduledPart[] = ['penalties', 'fees', 'interest', 'principal'];

/** The check of whether settings can be combined does not depend on the frequency; this is any one. */
const MONTHS = 12;

const COMPONENTS: readonly BalanceComponent[] = ['fees', 'interest', 'principal'];

interface Rule {
  readonly path: string;
  readonly expected: string;
  holds(settings: LoanTypeSettings): boolean;
}

/** Rules between the settings of a loan type, which their types cannot express. Each row is one fault. */
const RULES: readonly Rule[] = [
  {
    path: 'interest.maxRate',
    expected: 'interest.minRate or more',
    holds: ({ interest }) => interest.minRate === null || interest.maxRate === null || interest.minRate <= interest.maxRate,
  },
  // Every amount of a payment needs a bucket, so the list has each bucket once.
  {
    path: 'paymentWaterfall',
    expected: `an order of ${LOAN_TYPE_DEFAULTS.paymentWaterfall.join(', ')}`,
    holds: ({ paymentWaterfall }) => isOrderOf(paymentWaterfall, LOAN_TYPE_DEFAULTS.paymentWaterfall),
  },
  // Credits may leave out buckets.
  {
    path: 'creditWaterfall',
    expected: 'each bucket at most once, and at least one',
    holds: ({ creditWaterfall }) => creditWaterfall.length > 0 && isDistinct(creditWaterfall),
  },
  {
    path: 'multiWaterfall',
    expected: 'each rule at most once, and at least one',
    holds: ({ multiWaterfall }) => multiWaterfall.length > 0 && isDistinct(multiWaterfall),
  },
  {
    path: 'acceleratedWaterfall',
    expected: `an order of ${COMPONENTS.join(', ')}`,
    holds: ({ acceleratedWaterfall }) => isOrderOf(acceleratedWaterfall, COMPONENTS),
  },
  {
    path: 'chargedOffWaterfall',
    expected: `an order of ${COMPONENTS.join(', ')}`,
    holds: ({ chargedOffWaterfall }) => isOrderOf(chargedOffWaterfall, COMPONENTS),
  },
  {
    path: 'byInstalment',
    expected: `orders of ${PARTS.join(', ')}`,
    holds: ({ byInstalment: by }) =>
      by === null ||
      [by.pastDueOrder, by.dueOrder, by.inAdvanceOrder, by.chargebackOrder ?? PARTS].every((order) => isOrderOf(order, PARTS)),
  },
  {
    path: 'byInstalment',
    expected:
      'level installments with interest on the balance and excess to the next ones, where interest is recalculated; ' +
      'no chargebackOrder, where that is cumulative',
    holds: ({ byInstalment: by, interest }) => by === null || conflictOf(keepingOf(by, interest, MONTHS)) === null,
  },
  // The ledger of scheduled interest supports only simple interest from the day of activation on.
  {
    path: 'byInstalment',
    expected: 'null unless interest is simple, from the activation date on, not capitalized, and advances are single',
    holds: ({ byInstalment, interest, structure }) =>
      byInstalment === null ||
      (interest.accrualMethod === 'simple' &&
        interest.firstDay === 'activationDate' &&
        interest.capitalization === 'none' &&
        !structure.allowMultipleAdvances),
  },
  {
    path: 'byInstalment.downPaymentShare',
    expected: 'a part of what is paid out: at least 0, below 1',
    holds: ({ byInstalment: by }) => by === null || (by.downPaymentShare >= 0 && by.downPaymentShare < RATE_ONE),
  },
  {
    path: 'schedule.allowedFrequencies',
    expected: 'each frequency at most once',
    holds: ({ schedule }) => isDistinct(schedule.allowedFrequencies),
  },
  // Only one of the two values is supported; the other would be stored without effect.
  {
    path: 'overpayment',
    expected: 'reducePrincipal: creditBalance is not carried out. Money above the payoff is paid over, and reimbursed by POST L/reimburse',
    holds: ({ overpayment }) => overpayment === 'reducePrincipal',
  },
  {
    path: 'schedule.allowNegativeAmortization',
    expected: 'false: interest above a payment waits for the next one and is never added to principal; interest.capitalization does that',
    holds: ({ schedule }) => !schedule.allowNegativeAmortization,
  },
  {
    path: 'draws.drawTypes',
    expected: 'each kind at most once',
    holds: ({ draws }) => isDistinct(draws.drawTypes),
  },
];

const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

const isOrderOf = (values: readonly string[], all: readonly string[]): boolean =>
  values.length === all.length && isDistinct(values) && values.every((value) => all.includes(value));

type Product = 'installment' | 'lineOfCredit';

/** The settings that each method of interest requires; another combination would have no effect. */
const BALANCE_METHODS: Readonly<
  Record<
    LoanTypeSettings['interest']['balanceMethod'],
    { readonly expected: string; readonly has: (settings: LoanTypeSettings, type: Product) => boolean }
  >
> = {
  dailyBalance: { expected: 'dailyBalance', has: () => true },
  averageDailyBalance: {
    expected: 'a line of credit with simple interest',
    has: ({ interest }, type) => type === 'lineOfCredit' && interest.accrualMethod === 'simple',
  },
  precomputed: {
    expected: 'installment loans with scheduled interest, whose interest is not recalculated',
    has: ({ byInstalment }, type) => type === 'installment' && byInstalment?.recalculation === 'none',
  },
};

/** Refuses settings that contradict each other or would have no effect, and lists every fault. */
export function checkSettings(settings: LoanTypeSettings, type: Product): void {
  const faults: Fault[] = [
    ...RULES.filter((rule) => !rule.holds(settings)).map(({ path, expected }) => ({ path, expected, message: `must be ${expected}` })),
    ...muteFaults(settings.notices.mutedSubjects ?? []),
  ];
  if (faults.length > 0) throw new Refusal('validationError', 'The settings are not valid: see `errors`.', { errors: faults });
  if (type === 'lineOfCredit' && settings.smallBalanceForgivenessAmount > 0) {
    refuse('ruleViolation', '`smallBalanceForgivenessAmount` cannot be set on a line of credit, which is not paid off by its payments.', {
      errors: [{ path: 'smallBalanceForgivenessAmount', expected: '0.00 for a line of credit', message: 'has no effect here' }],
    });
  }
  if (settings.schedule.lastInstalment === 'asScheduled' && (type === 'lineOfCredit' || settings.byInstalment !== null)) {
    refuse('ruleViolation', '`schedule.lastInstalment` must be takesAll, except for installment loans with daily interest.', {
      errors: [{ path: 'schedule.lastInstalment', expected: 'takesAll', message: 'has no effect here' }],
    });
  }
  if (settings.statements.includeEmptyPeriods === true && type === 'installment') {
    refuse('ruleViolation', '`statements.includeEmptyPeriods` must be false for installment loans, whose due dates all have statements.', {
      errors: [{ path: 'statements.includeEmptyPeriods', expected: 'false for an installment loan', message: 'has no effect here' }],
    });
  }
  const { balanceMethod } = settings.interest;
  const { expected, has } = BALANCE_METHODS[balanceMethod];
  if (has(settings, type)) return;
  refuse('ruleViolation', `The balance method ${balanceMethod} is not supported for this loan type.`, {
    errors: [{ path: 'interest.balanceMethod', expected, message: 'has no effect here' }],
  });
}

/** Themes whose notices a lender may mute: origination, servicing, collection of the debt. */
const MUTED_THEMES: ReadonlySet<string | null> = new Set<string | null>(['opsOrigination', 'opsServicing', 'opsCollDebt']);

/** What the law requires in writing is sent. Reminders are turned off where they are configured. */
function muteFaults(subjects: readonly Subject[]): readonly Fault[] {
  return subjects.flatMap((subject, index): Fault | readonly never[] => {
    const theme = implicitTheme(subject);
    const message =
      subjects.indexOf(subject) !== index
        ? 'is listed twice'
        : isReminderSubject(subject)
          ? 'is sent by a repayment notification: make that inactive'
          : !MUTED_THEMES.has(theme) || theme === null || isWrittenDisclosure({ theme, subject, isLegallyRequired: false })
            ? 'cannot be muted'
            : null;
    return message === null
      ? []
      : { path: `notices.mutedSubjects[${index}]`, expected: 'the subject of a notice that may be muted', message };
  });
}

/** Refunds are of installment loans. Earlier releases stored the setting with every loan type: only what is sent is checked. */
export function checkSent({ refunds }: SettingsBody, type: Product): void {
  if (type === 'installment') return;
  const named = Object.entries(refunds?.billing ?? {}).filter(([, account]) => account != null);
  if (named.length === 0) return;
  refuse('ruleViolation', '`refunds.billing` cannot be set on a line of credit, whose purchases are refunded.', {
    errors: named.map(([party]) => ({
      path: `refunds.billing.${party}`,
      expected: 'null for a line of credit',
      message: 'has no effect here',
    })),
  });
}
