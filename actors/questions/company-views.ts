import { formatRate, type Rate } from '../../engine/index.js';
import { type CompanyState, EVER, type LoanType, type LoanTypeSettings, type LoanTypeVersion } from '../company/index.js';
import { orNull } from '../wire.js';
import { type Cell, view } from './view.js';

/*
 * The company and its loan types, of the mode of the question. They have no key, credential, account or processor, and nothing that the
 * lender stored as JSON of its own.
 */

type Profile = NonNullable<CompanyState['profile']>;

interface CompanyItem {
  readonly state: CompanyState;
  readonly profile: Profile;
}

const text = (name: string, field: 'legalName' | 'name' | 'brandName' | 'slug' | 'domainName' | 'shortDomainName', meaning: string) =>
  ({ name, type: 'VARCHAR', meaning, of: ({ profile }: CompanyItem): Cell => profile[field] }) as const;

const policy = (name: string, field: 'bankruptcy' | 'deceased' | 'fema' | 'scra' | 'ofac' | 'rnd', meaning: string) =>
  ({ name: `has_${name}_policy`, type: 'BOOLEAN', meaning, of: ({ profile }: CompanyItem): Cell => profile[`${field}Policy`] }) as const;

export const companies = view<CompanyState, CompanyItem>({
  name: 'v_companies',
  meaning: 'The company of the question, one row.',
  kind: 'company',
  items: (state) => (state.profile === null ? [] : [{ state, profile: state.profile }]),
  columns: [
    { name: 'company_id', type: 'VARCHAR', meaning: 'Id of the company', of: ({ state }) => state.id },
    { name: 'mode', type: 'VARCHAR', meaning: '`test` or `live`: the mode of the question', of: ({ state }) => state.mode },
    text('name', 'name', 'Its name'),
    text('legal_name', 'legalName', 'Its legal name'),
    text('brand_name', 'brandName', 'The name that borrowers know'),
    text('slug', 'slug', 'Its short name in addresses'),
    text('domain_name', 'domainName', 'Its domain'),
    text('short_domain_name', 'shortDomainName', 'Its domain for short links'),
    { name: 'type', type: 'VARCHAR', meaning: '`lender` or `servicer`', of: ({ profile }) => profile.type },
    { name: 'status', type: 'VARCHAR', meaning: '`active` or `inactive`', of: ({ profile }) => profile.status },
    { name: 'timezone', type: 'VARCHAR', meaning: 'The time zone of its dates', of: ({ profile }) => profile.timezone },
    policy('bankruptcy', 'bankruptcy', 'Whether it monitors borrowers for bankruptcies'),
    policy('deceased', 'deceased', 'For deaths'),
    policy('fema', 'fema', 'For disasters'),
    policy('scra', 'scra', 'For military duty'),
    policy('ofac', 'ofac', 'For sanctions'),
    policy('rnd', 'rnd', 'For reassigned numbers'),
    {
      name: 'promise_broken_after_days',
      type: 'INTEGER',
      meaning: 'Days overdue after which a promise to pay is broken; null: at the end of the plan',
      of: ({ profile }) => profile.promiseBrokenAfterDays,
    },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was made', of: ({ state }) => state.createdAt },
    { name: 'updated_at', type: 'TIMESTAMP', meaning: 'When its profile was last changed', of: ({ state }) => state.updatedAt },
  ],
});

/** A loan type with its newest settings, as `GET /loan-types/{loanTypeId}` shows it. */
interface LoanTypeItem {
  readonly companyId: string;
  readonly loanType: LoanType;
  readonly newest: LoanTypeVersion;
  readonly settings: LoanTypeSettings;
}

const rateCell = (rate: Rate | null): Cell => orNull(formatRate, rate);

const rate = (name: string, field: 'minRate' | 'maxRate' | 'maxAprNominal' | 'maxAprEffective', meaning: string) =>
  ({ name, type: 'VARCHAR', meaning, of: ({ settings }: LoanTypeItem): Cell => rateCell(settings.interest[field]) }) as const;

const listed = (
  name: string,
  field: 'paymentWaterfall' | 'creditWaterfall' | 'acceleratedWaterfall' | 'chargedOffWaterfall',
  meaning: string,
) => ({ name, type: 'VARCHAR', meaning, of: ({ settings }: LoanTypeItem): Cell => settings[field].join(',') }) as const;

const whole = (name: string, meaning: string, of: (settings: LoanTypeSettings) => number | null) =>
  ({ name, type: 'INTEGER', meaning, of: ({ settings }: LoanTypeItem): Cell => of(settings) }) as const;

const money = (name: string, meaning: string, of: (settings: LoanTypeSettings) => number | null) =>
  ({ name, type: 'MONEY', meaning, of: ({ settings }: LoanTypeItem): Cell => of(settings) }) as const;

const flag = (name: string, meaning: string, of: (settings: LoanTypeSettings) => boolean) =>
  ({ name, type: 'BOOLEAN', meaning, of: ({ settings }: LoanTypeItem): Cell => of(settings) }) as const;

const choice = (name: string, meaning: string, of: (settings: LoanTypeSettings) => string) =>
  ({ name, type: 'VARCHAR', meaning, of: ({ settings }: LoanTypeItem): Cell => of(settings) }) as const;

function loanTypesOf({ id, loanTypes }: CompanyState): readonly LoanTypeItem[] {
  return [...loanTypes.values()].flatMap((loanType) => {
    const newest = loanType.versions.at(-1);
    return newest === undefined ? [] : [{ companyId: id, loanType, newest, settings: newest.settings }];
  });
}

export const loanTypes = view<CompanyState, LoanTypeItem>({
  name: 'v_loan_types',
  meaning: 'Loan types with their newest settings, inactive ones too, one row each. Rates are text with up to eight decimals.',
  kind: 'company',
  items: loanTypesOf,
  columns: [
    { name: 'loan_type_id', type: 'VARCHAR', meaning: 'Id of the loan type', of: ({ loanType }) => loanType.id },
    { name: 'company_id', type: 'VARCHAR', meaning: 'Its company', of: ({ companyId }) => companyId },
    { name: 'name', type: 'VARCHAR', meaning: 'Its name', of: ({ loanType }) => loanType.name ?? loanType.assetDisplayName },
    { name: 'description', type: 'VARCHAR', meaning: 'What it is for', of: ({ loanType }) => loanType.description },
    { name: 'type', type: 'VARCHAR', meaning: '`installment` or `lineOfCredit`', of: ({ loanType }) => loanType.type },
    { name: 'asset_type', type: 'VARCHAR', meaning: 'The kind of credit', of: ({ loanType }) => loanType.assetType },
    {
      name: 'asset_display_name',
      type: 'VARCHAR',
      meaning: 'The kind as borrowers read it',
      of: ({ loanType }) => loanType.assetDisplayName,
    },
    { name: 'status', type: 'VARCHAR', meaning: '`active` or `inactive`', of: ({ loanType }) => loanType.status },
    {
      name: 'timezone',
      type: 'VARCHAR',
      meaning: "The time zone of its loans' dates; null: that of the company",
      of: ({ loanType }) => loanType.timezone,
    },
    { name: 'currency', type: 'VARCHAR', meaning: 'The currency, three letters', of: ({ loanType }) => loanType.currency },
    { name: 'version', type: 'INTEGER', meaning: 'The number of its newest settings, from 1', of: ({ newest }) => newest.version },
    {
      name: 'effective_date',
      type: 'DATE',
      meaning: 'The first day of the newest settings; null: they have always applied',
      of: ({ newest }) => (newest.from === EVER ? null : newest.from),
    },
    choice('accrual_method', '`simple`, `compound` or `compoundWithFees`', ({ interest }) => interest.accrualMethod),
    choice('interest_accrual_method', 'How days are counted, such as `daily365`', ({ interest }) => interest.interestAccrualMethod),
    choice('balance_method', '`dailyBalance`, `averageDailyBalance` or `precomputed`', ({ interest }) => interest.balanceMethod),
    flag('has_scheduled_interest', 'Whether interest follows the schedule and not the days', ({ byInstalment }) => byInstalment !== null),
    rate('min_rate', 'minRate', 'The least interest rate'),
    rate('max_rate', 'maxRate', 'The highest interest rate'),
    rate('max_apr_nominal', 'maxAprNominal', 'The highest nominal APR'),
    rate('max_apr_effective', 'maxAprEffective', 'The highest effective APR'),
    flag('enforces_rate_limits', 'Whether rates outside these limits are refused', ({ enforceRateLimits }) => enforceRateLimits),
    money('minimum_interest_charge', 'The least interest of a period of a draw', ({ interest }) => interest.minimumInterestCharge),
    choice('allowed_frequencies', 'Payment frequencies, separated by commas', ({ schedule }) => schedule.allowedFrequencies.join(',')),
    choice('due_date_option', '`fixedDueDate`, `fixedStatementDate` or `fixedBoth`', ({ schedule }) => schedule.dueDateOption),
    whole('statement_to_due_days', 'Days from the statement to the due date', ({ schedule }) => schedule.statementToDueDays),
    whole('grace_periods_to_restore', 'Periods paid in full that restore the grace period', ({ grace }) => grace.numPeriodsToRestoreGrace),
    flag('has_grace_period', 'Whether draws have a grace period', ({ grace }) => grace.isGracePeriodApplicable),
    {
      name: 'min_payment_percentage',
      type: 'VARCHAR',
      meaning: 'Of lines of credit: the part of the principal in the minimum payment',
      of: ({ settings }) => formatRate(settings.minPayment.percentageOfPrincipal),
    },
    money('min_payment_amount', 'The least minimum payment', ({ minPayment }) => minPayment.minAmount),
    listed('payment_waterfall', 'paymentWaterfall', 'The order in which payments meet buckets, separated by commas'),
    listed('credit_waterfall', 'creditWaterfall', 'The order of credits'),
    listed('accelerated_waterfall', 'acceleratedWaterfall', 'The order after an acceleration'),
    listed('charged_off_waterfall', 'chargedOffWaterfall', 'The order after a charge-off'),
    choice('overpayment', '`reducePrincipal` or `creditBalance`', ({ overpayment }) => overpayment),
    flag('enables_prepayments', 'Whether money beyond what is due meets coming due dates', ({ payments }) => payments.enablePrepayments),
    money(
      'overdue_tolerance_amount',
      'What may remain of an obligation that counts as met',
      ({ delinquency }) => delinquency.overdueToleranceAmount,
    ),
    money(
      'small_balance_forgiveness_amount',
      'The greatest balance that is forgiven after a payment',
      ({ smallBalanceForgivenessAmount }) => smallBalanceForgivenessAmount,
    ),
    whole(
      'acceleration_due_within',
      'Days overdue after which a loan is accelerated; null: never',
      (settings) => settings.accelerationDueWithin,
    ),
    whole(
      'charge_off_due_within',
      'Days overdue after which a loan is charged off; null: never',
      (settings) => settings.chargeOffDueWithin,
    ),
    flag(
      'is_credit_reporting_allowed',
      'Whether its loans are reported',
      ({ creditReporting }) => creditReporting.isCreditReportingAllowed,
    ),
    whole('autopay_max_attempts', 'How often a failed automatic payment is tried again', ({ autopay }) => autopay.retry.maxAttempts),
    whole('snapshot_days_after_payoff', 'Days after payoff on which a loan still has data', (settings) => settings.snapshotDaysAfterPayoff),
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was made', of: ({ loanType }) => loanType.createdAt },
    { name: 'updated_at', type: 'TIMESTAMP', meaning: 'When it was last changed', of: ({ loanType }) => loanType.updatedAt },
  ],
});
