import { type Data, refusalOf } from '../../harness.js';
import { external, openPaySetting, type PaySetting } from '../transactions/setting.js';

/** A loan of 10,000.00 at 5 % that was activated on 2024-01-15, and its promo programs. */
export interface PromoSetting extends PaySetting {
  promoType(body: object): Promise<Data>;
  ask(command: string, body?: object, promoProgramId?: string): Promise<Data>;
  refused(command: string, body?: object, promoProgramId?: string): Promise<string>;
  program(id: string): Promise<Data>;
  payBy(effectiveDate: string | null, amount: number): Promise<Data>;
  /** Names of the programs' events since the last time, with their status. */
  emitted(): Promise<readonly string[]>;
}

export async function openPromoSetting(): Promise<PromoSetting> {
  const setting = await openPaySetting();
  const { h, loanId, personId, loanTypeId } = setting;
  const ask = (command: string, body: object = {}, promoProgramId = ''): Promise<Data> =>
    h.data(`promoProgram.${command}`, loanId, body, { params: { personId, promoProgramId } });
  return {
    ...setting,
    promoType: (body) =>
      h.data('promoType.create', h.company, { displayName: 'No interest for 90 days', ...body }, { params: { loanTypeId } }),
    ask,
    refused: async (command, body, id) => (await refusalOf(ask(command, body, id))).errorType,
    program: (promoProgramId) => h.query('promoProgram.get', loanId, {}, { params: { personId, promoProgramId } }),
    payBy: (effectiveDate, amount) =>
      setting.post(external({ amount, status: 'succeeded', ...(effectiveDate === null ? {} : { effectiveDate }) })),
    emitted: async () =>
      (await setting.events())
        .filter(({ eventType }) => eventType.startsWith('loan.promoprogram.'))
        .map(({ eventType, data }) => `${eventType.slice('loan.promoprogram.'.length)} ${String(data['status'])}`),
  };
}

export const SAME_AS_CASH = { promoType: 'sameAsCash', defaults: { promoDurationDays: 90 } } as const;
