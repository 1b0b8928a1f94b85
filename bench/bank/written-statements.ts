import { civil, type Day, formatDay, formatCents, cents } from '../../engine/index.js';

/** A movement of the account that the bank has booked. */
export interface BankLine {
  readonly day: Day;
  /** Above zero: into the account. */
  readonly cents: number;
  /** The type code of BAI2. */
  readonly code: string;
  readonly bankReference: string;
  readonly customerReference: string;
  readonly text: string;
}

/** The account over a day. */
export interface WrittenStatement {
  readonly account: string;
  readonly day: Day;
  readonly openingCents: number;
  readonly lines: readonly BankLine[];
}

/** Commas and slashes divide fields and records. */
const field = (text: string): string => text.replaceAll(/[,/\p{Cc}]/gu, '-');

const lineText = (text: string): string => text.replaceAll(/[/\p{Cc}]/gu, '-');

const sumOf = (lines: readonly BankLine[]): number => lines.reduce((sum, line) => sum + line.cents, 0);

function shortDate(day: Day): string {
  const { year, month, day: dayOfMonth } = civil(day);
  return [year % 100, month, dayOfMonth].map((part) => String(part).padStart(2, '0')).join('');
}

/** The statement as a BAI2 file with its control totals. */
export function bai2File({ account, day, openingCents, lines }: WrittenStatement): string {
  const date = shortDate(day);
  const [credits, debits] = [lines.filter((line) => line.cents >= 0), lines.filter((line) => line.cents < 0)];
  const closingCents = openingCents + sumOf(lines);
  const details = lines.flatMap((line) => [
    `16,${line.code},${Math.abs(line.cents)},V,${shortDate(line.day)},,${field(line.bankReference)},${field(line.customerReference)}/`,
    ...(line.text === '' ? [] : [`88,${lineText(line.text)}`]),
  ]);
  const [creditCents, debitCents] = [sumOf(credits), -sumOf(debits)];
  const balances = `010,${openingCents},,,015,${closingCents},,,100,${creditCents},${credits.length},,400,${debitCents},${debits.length},`;
  const total = openingCents + closingCents + 2 * (creditCents + debitCents);
  const records = details.length + 2;
  return [
    `01,021000021,LENDER,${date},2359,1,,,2/`,
    `02,LENDER,021000021,1,${date},2359,USD,2/`,
    `03,${field(account)},USD,${balances}/`,
    ...details,
    `49,${total},${records}/`,
    `98,${total},1,${records + 2}/`,
    `99,${total},1,${records + 4}/`,
    '',
  ].join('\n');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The statement as a document of camt.053.001.08. */
export function camt053File({ account, day, openingCents, lines }: WrittenStatement): string {
  const date = formatDay(day);
  const amount = (value: number): string => `<Amt Ccy="USD">${formatCents(cents(Math.abs(value)))}</Amt>`;
  const direction = (value: number): string => `<CdtDbtInd>${value < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, value: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(value)}${direction(value)}<Dt><Dt>${date}</Dt></Dt></Bal>`;
  const entries = lines.map((line) => {
    const booked = formatDay(line.day);
    const remittance = line.text === '' ? '' : `<RmtInf><Ustrd>${escaped(line.text)}</Ustrd></RmtInf>`;
    return (
      `<Ntry>${amount(line.cents)}${direction(line.cents)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${booked}</Dt></BookgDt>` +
      `<ValDt><Dt>${booked}</Dt></ValDt><AcctSvcrRef>${escaped(line.bankReference)}</AcctSvcrRef>` +
      `<BkTxCd><Prtry><Cd>${escaped(line.code)}</Cd></Prtry></BkTxCd><NtryDtls><TxDtls><Refs>` +
      `<EndToEndId>${escaped(line.customerReference)}</EndToEndId></Refs>${remittance}</TxDtls></NtryDtls></Ntry>`
    );
  });
  const summary = `<TxsSummry><TtlNtries><NbOfNtries>${lines.length}</NbOfNtries></TtlNtries></TxsSummry>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
    `<GrpHdr><MsgId>STMT-${date}</MsgId><CreDtTm>${date}T23:59:00</CreDtTm></GrpHdr>`,
    `<Stmt><Id>${date}</Id><Acct><Id><Othr><Id>${escaped(account)}</Id></Othr></Id><Ccy>USD</Ccy></Acct>`,
    balance('OPBD', openingCents),
    balance('CLBD', openingCents + sumOf(lines)),
    summary,
    ...entries,
    '</Stmt></BkToCstmrStmt></Document>',
    '',
  ].join('\n');
}
