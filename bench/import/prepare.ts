import { type CompanyState, type Engine, Refusal, type Tenant, type TestClockView } from '../../actors/index.js';
import { must, parseDay } from '../../engine/index.js';
import type { LocalCaller } from '../../gateway/index.js';
import { UsageError } from '../cli/usage-error.js';
import type { Mapping } from './mapping.js';

const REQUEST = 'import';

/**
 * The day on which the loans are booked. An empty test mode gets a test clock that starts there, so that loans of the
 * past are activated as of their own day and no day of theirs has passed unpaid. A mode that stands there already is right.
 */
export async function prepareClock(engine: Engine, local: LocalCaller, tenant: Tenant, asOf: string | null): Promise<void> {
  if (asOf === null) return;
  if (parseDay(asOf) === undefined) throw new ImportRefused(`--as-of ${asOf} is no date YYYY-MM-DD.`);
  if (tenant.mode !== 'test') throw new ImportRefused('--as-of moves the clock of a test mode; live mode keeps real time.');
  const [clock] = await clocksOf(local);
  if (clock?.today === asOf) return;
  if (clock)
    throw new ImportRefused(
      `The test clock of ${tenant.company} stands at ${clock.today}, not at ${asOf}. Delete it to empty the test mode, or advance it.`,
    );
  await engine.listed();
  if (engine.world.catalog.count(tenant, 'person') > 0) {
    throw new ImportRefused(`The test mode of ${tenant.company} is not empty: a test clock cannot start on ${asOf}.`);
  }
  await local.call('createTestClock', { body: { startDate: asOf, name: 'import' }, requestId: REQUEST });
}

async function clocksOf(local: LocalCaller): Promise<readonly TestClockView[]> {
  const { data } = await local.call('listTestClocks', { requestId: REQUEST });
  return (data as { readonly items: readonly TestClockView[] }).items;
}

/** The loan type that the mapping names, made when there is none of its name. Answers its id. */
export async function prepareLoanType(engine: Engine, local: LocalCaller, tenant: Tenant, { loanType }: Mapping): Promise<string> {
  const { company } = tenant;
  const { loanTypes } = must(engine.stateOf<CompanyState>(tenant, 'company', company), 'the company has a state');
  if (!('name' in loanType)) {
    if (loanTypes.has(loanType.id)) return loanType.id;
    throw new ImportRefused(`There is no loan type ${loanType.id}.`);
  }
  for (const known of loanTypes.values()) if (known.name === loanType.name && known.status === 'active') return known.id;
  try {
    const { data } = await local.call('createLoanType', { params: { companyId: company }, body: loanType, requestId: REQUEST });
    return (data as { readonly id: string }).id;
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.errorType === 'unavailable') throw cause;
    const faults = cause.errors.map(({ path, message, expected }) => `\n  loanType.${path}: ${message} (expected ${expected})`);
    throw new ImportRefused(`The loan type of the mapping is refused: ${cause.message}${faults.join('')}`);
  }
}

/** What stops an import before its first row. */
class ImportRefused extends UsageError {}
