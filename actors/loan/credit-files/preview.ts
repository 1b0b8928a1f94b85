import type { QueryEnv } from '../../kernel/actor.js';
import { type CreditRecordView, fieldsView, reportOf, type ReportCredit } from '../credit-reporting/index.js';
import type { LoanState } from '../state.js';

/** What a loan's record would be, with the borrower masked. */
export interface PreviewedRecord {
  readonly id: string;
  readonly object: 'creditReportingPreview';
  readonly loanId: string;
  readonly outcome: 'reported' | 'held' | 'nothing';
  readonly checks: CreditRecordView['checks'];
  readonly metro2: CreditRecordView['metro2'] | null;
  readonly consumer: MaskedConsumer | null;
}

/** The first letter of names, the last digits of numbers. */
interface MaskedConsumer {
  readonly surname: string | null;
  readonly firstName: string | null;
  readonly ssn: string | null;
  readonly phone: string | null;
  readonly state: string | null;
}

const LAST = 4;

const initial = (text: string | null): string | null => text && `${text.slice(0, 1)}***`;
const lastDigits = (text: string | null): string | null => text && `${'*'.repeat(text.length - LAST)}${text.slice(-LAST)}`;

/** A loan that would be enrolled gets no id in a preview. */
const NO_ID = '';

export function previewOf(env: QueryEnv, state: LoanState, asked: ReportCredit): PreviewedRecord {
  const nothing: PreviewedRecord = {
    id: state.id,
    object: 'creditReportingPreview',
    loanId: state.id,
    outcome: 'nothing',
    checks: [],
    metro2: null,
    consumer: null,
  };
  const report = reportOf(env, state, asked, () => NO_ID);
  if (report === null) return nothing;
  const { judged } = report;
  const { base } = judged.derived.account;
  return {
    ...nothing,
    outcome: judged.kept.outcome,
    checks: judged.kept.checks,
    metro2: fieldsView(judged.kept.fields),
    consumer: {
      surname: initial(base.surname),
      firstName: initial(base.firstName),
      ssn: lastDigits(base.ssn),
      phone: lastDigits(base.phone),
      state: base.state,
    },
  };
}
