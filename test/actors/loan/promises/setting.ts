import { type Data, refusalOf } from '../../harness.js';
import { external, openPaySetting, type PaySetting } from '../transactions/setting.js';

/** A loan that was activated on 2024-01-15, and what is asked of its promises to pay. */
export interface PromiseSetting extends PaySetting {
  promise(body: object): Promise<Data>;
  plan(id: string): Promise<Data>;
  ask(command: string, planId: string, body?: object): Promise<Data>;
  /** The type of the error that a promise meets. */
  refused(body: object): Promise<string>;
  /** Events of promises since the last time, as `name old>new`. */
  emitted(): Promise<readonly string[]>;
  payBy(effectiveDate: string | null, amount: number): Promise<Data>;
}

export async function openPromiseSetting(): Promise<PromiseSetting> {
  const setting = await openPaySetting();
  const { h, loanId, personId } = setting;
  const params = { personId };
  return {
    ...setting,
    promise: (body) => h.data('promisePlan.create', loanId, body, { params }),
    plan: (planId) => h.query('promisePlan.get', loanId, {}, { params: { ...params, planId } }),
    ask: (command, planId, body = {}) => h.data(`promisePlan.${command}`, loanId, body, { params: { ...params, planId } }),
    refused: async (body) => (await refusalOf(h.command('promisePlan.create', loanId, body, { params }))).errorType,
    emitted: async () =>
      (await setting.events())
        .filter(({ eventType }) => eventType.startsWith('loan.promiseplan.'))
        .map(
          ({ eventType, data }) =>
            `${eventType.slice('loan.promiseplan.'.length)} ${String(data['oldStatus'])}>${String(data['newStatus'])}`,
        ),
    payBy: (effectiveDate, amount) =>
      setting.post(external({ amount, status: 'succeeded', ...(effectiveDate === null ? {} : { effectiveDate }) })),
  };
}

/** 100.00 on three Fridays. */
export const threeFridays = { startDate: '2024-01-19', frequency: 'weekly', specificDays: ['friday'], duration: 3, amount: 100 } as const;

export const periodsOf = (plan: Data): readonly string[] =>
  (plan['schedule'] as readonly Data[]).map(
    (period) => `${String(period['dueDate'])} ${String(period['paidAmount'])} ${String(period['status'])}`,
  );
