import { type Data, type Harness } from '../../harness.js';
import { openSetting } from '../setting.js';

export interface LineSetting {
  readonly h: Harness;
  readonly lineId: string;
  readonly drawIds: readonly string[];
  goTo(date: string): Promise<void>;
  /** A command on a draw, or on one of its purchases or disputes. */
  on(draw: number, type: string, body: object, names?: Readonly<Record<string, string>>, query?: object): Promise<Data>;
  owedOn(draw: number): Promise<number>;
}

/** A line of 1,000.00 with two draws, the second limited to 400.00; `rate` a year. The first day is 2024-01-15. */
export async function openLine(rate: number, product: object = {}): Promise<LineSetting> {
  const { h, personId, goTo } = await openSetting();
  const { id: loanTypeId } = await h.data('loanType.create', h.company, { type: 'lineOfCredit', name: 'Card', ...product });
  const line = await h.data('loan.create', personId, bodyOf(loanTypeId, rate), { params: { personId } });
  await h.command('loan.activate', line.id, {}, { params: { personId } });
  const drawIds: string[] = [];
  for (const atOrigination of [{}, { creditLimitAmount: 400 }]) {
    const draw = await h.data('draw.create', line.id, { status: 'originated', atOrigination }, { params: { personId } });
    drawIds.push(draw.id);
  }
  const drawId = (draw: number): string => drawIds[draw] ?? '';
  return {
    h,
    lineId: line.id,
    drawIds,
    goTo,
    on: (draw, type, body, names = {}, query = {}) => h.data(type, line.id, body, { params: { drawId: drawId(draw), ...names }, query }),
    async owedOn(draw) {
      const { current } = await h.query('draw.get', line.id, {}, { params: { drawId: drawId(draw) } });
      return (current as { readonly balanceAmount: number }).balanceAmount;
    },
  };
}

const bodyOf = (loanTypeId: string, rate: number): object => ({
  type: 'lineOfCredit',
  loanTypeId,
  status: 'originated',
  servicedBy: 'creditor',
  newDrawsAllowed: true,
  atOrigination: {
    creditLimitAmount: 1000,
    paymentFrequency: 'monthly',
    specificDays: [15],
    interestRates: [{ interestType: 'absolute', days: null, rate }],
    personAddress: { addressLine1: '1 Elm Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
    originationLicense: 'stateLicense',
    originatingCreditorName: 'Northwind Lending',
  },
});
