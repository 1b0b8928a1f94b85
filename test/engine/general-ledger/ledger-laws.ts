import { generalLedger } from '../../../engine/index.js';

const MILLISECONDS_OF_DAY = 86_400_000;

export const details: generalLedger.LoanDetails = {
  causeOf: (source, day) =>
    source.type === 'fact'
      ? { factId: `fact-${source.sequence}`, factType: 'fact', recordedAt: 0 }
      : {
          factId: source.type === 'activation' ? 'activation' : `day-${day}`,
          factType: source.type,
          recordedAt: day * MILLISECONDS_OF_DAY,
        },
  creditOf: () => ({ creditType: 'courtesy', sponsor: 'lender' }),
  atFaultOf: () => 'merchant',
  payableOf: () => ({ role: 'networkPayable' }),
  drawIdOf: (draw) => `draw-${draw}`,
  isMigrated: false,
};

/** Balances by account as text, so that two of them can be compared. */
export const asText = (balances: readonly generalLedger.RoleBalance[]): string =>
  balances.map((balance) => `${generalLedger.accountKey(balance)} ${balance.amount}`).join('\n');

/** The sum of some roles, debits minus credits. */
export const sumOf = (
  balances: readonly Pick<generalLedger.RoleBalance, 'role' | 'amount'>[],
  ...roles: readonly generalLedger.Role[]
): number => balances.reduce((sum, { role, amount }) => (roles.includes(role) ? sum + amount : sum), 0);

export function sameText(found: string, wanted: string, what: string): void {
  if (found !== wanted) throw new Error(`${what}\nfound:\n${found}\nwanted:\n${wanted}`);
}
