import {
  type CompanyState,
  type ListResult,
  type Questions,
  Refusal,
  type Report,
  type ReportAnswer,
  REPORTS,
  type ReportView,
  savedQuestionsOf,
  type Tenant,
} from '../../actors/index.js';
import type { ContentStore, StoredContent } from '../documents/content-store.js';

/** The ready-made reports, then the questions that the company has saved. */
const reportsOf = (company: CompanyState | undefined): readonly Report[] => [
  ...REPORTS,
  ...(company === undefined ? [] : savedQuestionsOf(company)).map(({ stored: { description, ...saved } }) => ({
    ...saved,
    description: description ?? saved.title,
  })),
];

export function listReports(company: CompanyState | undefined): ListResult<ReportView> {
  const items = reportsOf(company).map((report): ReportView => ({ id: report.name, object: 'report', ...report }));
  return { items, total: items.length, hasMore: false, hasPrevious: false };
}

function reportNamed(company: CompanyState | undefined, name: string): Report {
  const reports = reportsOf(company);
  const found = reports.find((each) => each.name === name);
  if (!found) throw new Refusal('notFound', `There is no report ${name}. Reports: ${reports.map((each) => each.name).join(', ')}.`);
  return found;
}

/** A report of a company by its name. */
export interface AskedReport {
  readonly tenant: Tenant;
  readonly company: CompanyState | undefined;
  readonly name: string;
}

/** No report has personal columns. */
export async function askReport(questions: Questions, { tenant, company, name }: AskedReport): Promise<ReportAnswer> {
  const report = reportNamed(company, name);
  const { columns, rows, asOf } = await questions.ask(tenant, { sql: report.sql, seesPersonalData: false });
  return { object: 'reportResult', ...report, asOf, columns, rows };
}

/** The same as a Parquet file, in the store of contents: who reads it deletes it there. */
export async function reportFile(
  questions: Questions,
  contents: ContentStore,
  { tenant, company, name }: AskedReport,
): Promise<StoredContent> {
  const { sql } = reportNamed(company, name);
  return contents.put((await questions.parquet(tenant, { sql, seesPersonalData: false })).content);
}
