import { type ListResult, type Questions, Refusal, type ReportAnswer, REPORTS, type ReportView, type Tenant } from '../../actors/index.js';

export function listReports(): ListResult<ReportView> {
  const items = REPORTS.map((report): ReportView => ({ id: report.name, object: 'report', ...report }));
  return { items, total: items.length, hasMore: false, hasPrevious: false };
}

/** No report has personal columns. */
export async function askReport(questions: Questions, tenant: Tenant, name: string): Promise<ReportAnswer> {
  const report = REPORTS.find((each) => each.name === name);
  if (!report) throw new Refusal('notFound', `There is no report ${name}. Reports: ${REPORTS.map((each) => each.name).join(', ')}.`);
  const { columns, rows, asOf } = await questions.ask(tenant, { sql: report.sql, seesPersonalData: false });
  return { object: 'reportResult', ...report, asOf, columns, rows };
}
