import type { Test } from 'tap';
import { EMAIL, HOME, PHONE } from '../../../actors/borrower/lender.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';

type Data = Readonly<Record<string, unknown>>;

export interface CampaignOverHttp extends LoanOverHttp {
  readonly personId: string;
  readonly loanId: string;
  /** Makes a campaign of a worker. */
  campaign(body: object): Promise<string>;
  exporter(body?: object): Promise<string>;
  sender(body?: object): Promise<string>;
  /** Runs a campaign by hand to its end. */
  ran(campaignId: string): Promise<Data>;
  runsOf(campaignId: string): string;
  rows(run: Data, query?: string): Promise<readonly Data[]>;
}

/** A lender with the standard templates and one borrower with a loan, an e-mail address, a number and a home. */
export async function openCampaigns(t: Test): Promise<CampaignOverHttp> {
  const lender = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  const { ask, company, h, loan } = lender;
  for (const contact of [EMAIL, HOME, PHONE]) await ask('POST', '/people/ext-ann-1/contacts', contact);
  const runsOf = (campaignId: string): string => `/companies/${company}/campaigns/${campaignId}/runs`;
  return {
    ...lender,
    personId: idOf(await ask('GET', '/people/ext-ann-1')),
    loanId: loan.split('/').at(-1) ?? '',
    runsOf,
    campaign: async (body) => idOf(await ask('POST', '/campaigns', body)),
    exporter: async (body = {}) =>
      idOf(await ask('POST', '/campaign-workers/contact-exporters', { columnSettings: [{ field: 'person.id' }], ...body })),
    sender: async (body = {}) =>
      idOf(await ask('POST', '/campaign-workers/bulk-senders', { interactionSubject: 'paymentDueDateReminder', ...body })),
    async ran(campaignId) {
      const started = await ask('POST', runsOf(campaignId));
      if (started.status !== 202) throw new Error(started.text);
      await h.campaigns.settled();
      return dataOf(await ask('GET', `${runsOf(campaignId)}/${idOf(started)}`));
    },
    rows: async (run, query = '') => listOf(await ask('GET', `${runsOf(String(run['campaignId']))}/${String(run['id'])}/rows${query}`)),
  };
}

/** Of a query whose columns are what a reminder of a due date needs. */
export const DUE = `SELECT person_id AS "borrowerId", loan_id AS "loanId", next_due_amount AS "context_paymentAmount",
  next_due_date AS "context_paymentDueDate" FROM v_loans`;
