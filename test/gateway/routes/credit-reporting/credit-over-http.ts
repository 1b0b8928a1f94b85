import type { Test } from 'tap';
import { type AccountRecord, readFile } from '../../../../engine/metro2/index.js';
import { HOME, PHONE } from '../../../actors/borrower/lender.js';
import type { HarnessOptions } from '../../../actors/harness.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';

type Data = Readonly<Record<string, unknown>>;

export interface CreditOverHttp extends LoanOverHttp {
  readonly agencyId: string;
  /** The path of the company's files. */
  readonly files: string;
  /** Makes all files whose day has come, and returns the newest. */
  madeFile(): Promise<Data>;
  /** The accounts of a file, as a reader finds them. */
  accountsOf(file: Data): Promise<readonly AccountRecord[]>;
}

export const REPORTER = {
  isCreditReportingAllowed: true,
  metro2PortfolioType: 'I',
  metro2AccountType: '01',
  metro2ReporterName: 'Example Lending LLC',
  metro2ReporterAddress: '1 Main Street, Austin TX 78701',
  metro2ReporterTelephoneNumber: '+1 512 555 0100',
  metro2EquifaxProgramIdentifier: 'EQ12345678',
  metro2EquifaxIdentificationNumber: '90210',
  metro2SoftwareVendorName: 'Tenor',
  metro2SoftwareVersionNumber: '1.0',
} as const;

export const EQUIFAX = { agencyName: 'equifax', country: 'US', dataFormat: 'metro2', uploadFrequency: 'monthly' } as const;

/** A lender that reports to one agency, and a borrower with a loan that was activated on 2026-03-02 and is due on the 15th. */
export async function openCredit(t: Test, agency: object = {}, options: HarnessOptions = {}): Promise<CreditOverHttp> {
  const lender = await openLoanOverHttp(t, {}, SMALL, options);
  const { ask, company, h, loanTypeId } = lender;
  const agencyId = idOf(await ask('POST', `/companies/${company}/credit-agencies`, { ...EQUIFAX, ...agency }));
  const configured = await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { ...REPORTER, creditAgencyIds: [agencyId] });
  if (configured.status !== 200) throw new Error(configured.text);
  for (const contact of [HOME, PHONE]) await ask('POST', '/people/ext-ann-1/contacts', contact);
  const files = `/companies/${company}/credit-reporting/files`;
  return {
    ...lender,
    loan: await lender.active(),
    agencyId,
    files,
    async madeFile() {
      await h.campaigns.settled();
      const [newest] = listOf(await ask('GET', files));
      if (newest === undefined) throw new Error('no file was made');
      return newest;
    },
    async accountsOf(file) {
      const content = await ask('GET', `${files}/${String(file['id'])}/content`);
      const { accounts, faults } = readFile(content.text);
      t.strictSame(faults, [], 'a reader finds nothing wrong');
      return accounts;
    },
  };
}

export { dataOf, idOf, listOf };
