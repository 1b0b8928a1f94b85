import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { formatDay, readBai2, readBankStatement, readCamt053, readMt940, type StatementReading } from '../../../engine/index.js';
import { missing, sharedFile } from '../../shared.js';

/* Files of other projects, with the facts and the faults that two readers of another hand have found in them. */

interface Fault {
  readonly code: string;
  readonly line?: number | null;
}

interface Sample<Facts> {
  readonly file: string;
  readonly format: string;
  readonly expect: 'accept' | 'accept-with-warnings' | 'reject';
  readonly errors?: readonly Fault[];
  readonly warnings?: readonly Fault[];
  readonly facts: Facts;
}

interface Bai2Facts {
  readonly layout: { readonly physicalRecords: number };
  readonly groups: readonly {
    readonly line: number;
    readonly originator: string;
    readonly status: string;
    readonly asOfDate: string;
    readonly currency: string | null;
    readonly accounts: readonly {
      readonly line: number;
      readonly account: string;
      readonly currency: string | null;
      readonly summaries: readonly { readonly type: string; readonly amount: number; readonly items?: number }[];
      readonly transactions: readonly {
        readonly line: number;
        readonly type: string;
        readonly amount: number;
        readonly funds?: { readonly type: string; readonly date?: string };
        readonly bankReference: string | null;
        readonly customerReference: string | null;
        readonly text: readonly string[];
      }[];
      readonly computed: { readonly total: number; readonly records: number };
      readonly creditCount: number;
      readonly creditSum: number;
      readonly debitCount: number;
      readonly debitSum: number;
    }[];
  }[];
}

interface CamtFacts {
  readonly statements?: readonly {
    readonly id: string;
    readonly account: string;
    readonly currency: string | null;
    readonly balances: readonly {
      readonly code: string;
      readonly minor?: number;
      readonly creditDebit: string | null;
      readonly date: string;
    }[];
    readonly entryCount: number;
    readonly reversalEntries: number;
    readonly openingPlusEntriesEqualsClosing?: boolean;
    readonly entriesShown?: string;
    readonly entries: readonly {
      readonly reference: string | null;
      readonly minor?: number;
      readonly currency: string;
      readonly creditDebit: string;
      readonly reversal: string | null;
      readonly bookingDate: string | null;
      readonly valueDate: string | null;
      readonly servicerReference: string | null;
      readonly bankCode: string | null;
      readonly proprietaryCode: string | null;
      readonly endToEndIds?: readonly string[];
      readonly creditorReferences?: readonly string[];
      readonly unstructured?: readonly string[];
    }[];
  }[];
}

interface MtBalance {
  readonly creditDebit: 'C' | 'D';
  readonly date: string;
  readonly currency: string;
  readonly amount: string;
}

interface MtFacts {
  readonly statements: readonly {
    readonly line: number;
    readonly reference: string;
    readonly account: string;
    readonly opening: MtBalance;
    readonly closing: MtBalance;
    readonly available?: MtBalance;
    readonly entryCount: number;
    readonly creditSum: string;
    readonly debitSum: string;
    readonly openingPlusEntriesEqualsClosing: boolean;
    readonly entries: readonly {
      readonly line: number;
      readonly valueDate: string;
      readonly entryDate: string | null;
      readonly mark: string;
      readonly fundsCode: string | null;
      readonly amount: string;
      readonly type: string;
      readonly customerReference: string;
      readonly bankReference: string | null;
      readonly hasDescription: boolean;
    }[];
  }[];
}

function samplesOf<Facts>(format: string): readonly (Sample<Facts> & { readonly text: string; readonly bytes: Buffer })[] | undefined {
  const index = sharedFile('data', 'files', 'index.json');
  if (index === undefined) return undefined;
  return (JSON.parse(readFileSync(index, 'utf8')) as readonly Sample<Facts>[])
    .filter((each) => each.format === format)
    .map((each) => {
      const bytes = readFileSync(sharedFile('data', 'files', each.file) ?? '');
      return { ...each, bytes, text: bytes.toString('utf8') };
    });
}

const codesOf = (faults: readonly Fault[]): readonly string[] => faults.map(({ code, line }) => `${line ?? 'file'} ${code}`).sort();

const namesOf = (faults: readonly Fault[]): readonly string[] => faults.map(({ code }) => code).sort();

const minor = (text: string): number => Math.round(Number(text) * 100);

/** Blanks within a text are a matter of its lines. */
const bare = (lines: readonly string[]): string => lines.join('').replaceAll(/\s+/g, '');

const isUsable = (reading: StatementReading): boolean => reading.errors.length === 0;

test('BAI2 files of other projects are read with the facts and the errors that a strict reader finds', (t) => {
  const samples = samplesOf<Bai2Facts>('bai2');
  if (samples === undefined) return void t.end(), t.comment(missing('data', 'files'));
  t.equal(samples.length, 10);
  for (const { file, expect, errors = [], facts, text, bytes } of samples) {
    const reading = readBai2(text);
    t.same(codesOf(reading.errors), codesOf(errors), `${file}: errors`);
    t.equal(isUsable(readBankStatement(bytes, { format: null, mapping: null })), expect !== 'reject', `${file}: ${expect}`);
    t.equal(reading.records, facts.layout.physicalRecords, `${file}: records`);
    t.equal(reading.groups.length, facts.groups.length, `${file}: groups`);
    for (const [at, wanted] of facts.groups.entries()) {
      const group = reading.groups[at];
      const { line, originator, status } = wanted;
      t.match(group, { line, originator, status, currency: wanted.currency ?? '' }, `${file}: group`);
      t.equal(group?.asOfDay == null ? null : formatDay(group.asOfDay), wanted.asOfDate);
      t.equal(group?.accounts.length, wanted.accounts.length, `${file}: accounts`);
      for (const [index, account] of wanted.accounts.entries()) {
        const found = group?.accounts[index];
        t.match(found, { line: account.line, account: account.account, currency: account.currency ?? '' }, `${file}: account`);
        t.match(found, { totalCents: account.computed.total, records: account.computed.records }, `${file}: totals`);
        t.same(
          found?.summaries.map(({ type, amountCents, items }) => [type, amountCents, items]),
          account.summaries.map(({ type, amount, items = null }) => [type, amount, items]),
          `${file}: summaries`,
        );
        for (const transaction of account.transactions) {
          const own = found?.transactions.find((each) => each.line === transaction.line && each.amountCents === transaction.amount);
          const { type, bankReference, customerReference } = transaction;
          const references = { bankReference: bankReference ?? '', customerReference: customerReference ?? '' };
          t.match(own, { type, ...references }, `${file}: transaction of line ${transaction.line}`);
          t.equal(bare(own?.text ?? []), bare(transaction.text), `${file}: text of line ${transaction.line}`);
          t.equal(own?.funds?.type, transaction.funds?.type);
          const { date } = transaction.funds ?? {};
          if (date !== undefined) t.equal(own?.funds?.valueDay == null ? null : formatDay(own.funds.valueDay), date);
        }
        const statement = reading.statements.find(
          (each) => each.line === account.line && each.entries.length === (found?.transactions.length ?? -1),
        );
        const credits = statement?.entries.filter(({ amountCents }) => amountCents > 0) ?? [];
        const debits = statement?.entries.filter(({ amountCents }) => amountCents < 0) ?? [];
        t.same(
          [credits, debits].map((side) => [side.length, side.reduce((sum, { amountCents }) => sum + Math.abs(amountCents), 0)]),
          [
            [account.creditCount, account.creditSum],
            [account.debitCount, account.debitSum],
          ],
          `${file}: both directions of line ${account.line}`,
        );
      }
    }
  }
  t.end();
});

test('camt.053 files of other projects, of all versions, are read with their facts', (t) => {
  const samples = samplesOf<CamtFacts>('camt.053');
  if (samples === undefined) return void t.end(), t.comment(missing('data', 'files'));
  t.equal(samples.length, 23);
  for (const { file, expect, errors = [], warnings = [], facts, text, bytes } of samples) {
    const reading = readCamt053(text);
    t.equal(isUsable(reading), expect !== 'reject', `${file}: ${expect}`);
    t.equal(isUsable(readBankStatement(bytes, { format: null, mapping: null })), expect !== 'reject', `${file}: by its bytes`);
    if (errors.length > 0) t.same(namesOf(reading.errors), namesOf(errors), `${file}: errors`);
    t.same(namesOf(reading.warnings), namesOf(warnings), `${file}: warnings`);
    t.equal(reading.statements.length, facts.statements?.length ?? 0, `${file}: statements`);
    for (const [at, wanted] of (facts.statements ?? []).entries()) {
      const found = reading.statements[at];
      t.match(found, { reference: wanted.id, account: wanted.account }, `${file}: statement`);
      if (wanted.currency !== null) t.equal(found?.currency, wanted.currency);
      t.equal(found?.entries.length, wanted.entryCount, `${file}: entries`);
      t.equal(found?.entries.filter(({ isReversal }) => isReversal).length, wanted.reversalEntries);
      const balance = (...codes: readonly string[]): number | null => {
        const stated = codes.flatMap((code) => wanted.balances.filter((each) => each.code === code))[0];
        return stated?.minor === undefined ? null : stated.minor * (stated.creditDebit === 'DBIT' ? -1 : 1);
      };
      t.equal(found?.openingCents, balance('OPBD', 'PRCD'), `${file}: opening`);
      t.equal(found?.closingCents, balance('CLBD'), `${file}: closing`);
      t.equal(found?.availableCents, balance('CLAV'), `${file}: available`);
      for (const [index, entry] of wanted.entries.entries()) {
        const own = found?.entries[index];
        if (wanted.entriesShown !== undefined || own === undefined) break;
        if (entry.minor !== undefined)
          t.equal(own.amountCents, entry.minor * (entry.creditDebit === 'DBIT' ? -1 : 1), `${file}: amount ${index}`);
        t.equal(own.currency, entry.currency);
        t.equal(own.bookingDay === null ? null : formatDay(own.bookingDay), entry.bookingDate?.slice(0, 10) ?? null, `${file}: booked`);
        t.equal(own.valueDay === null ? null : formatDay(own.valueDay), entry.valueDate?.slice(0, 10) ?? null, `${file}: value date`);
        t.equal(own.code, entry.bankCode ?? entry.proprietaryCode ?? '', `${file}: code`);
        const { reference, servicerReference, endToEndIds = [], creditorReferences = [] } = entry;
        const named = [reference, servicerReference, ...endToEndIds, ...creditorReferences].filter(
          (each) => each !== null && !/^NOT ?PROVIDED$/i.test(each),
        );
        for (const each of named) t.ok(own.references.includes(each ?? ''), `${file}: reference ${each ?? ''}`);
        for (const each of entry.unstructured ?? []) t.ok(bare([own.text]).includes(bare([each]).slice(0, 200)), `${file}: text`);
      }
    }
  }
  t.end();
});

test('MT940 files of other projects are read with their facts', (t) => {
  const samples = samplesOf<MtFacts>('mt940');
  if (samples === undefined) return void t.end(), t.comment(missing('data', 'files'));
  t.equal(samples.length, 3);
  const signedOf = ({ creditDebit, amount }: MtBalance): number => minor(amount) * (creditDebit === 'D' ? -1 : 1);
  for (const { file, expect, errors = [], warnings = [], facts, text, bytes } of samples) {
    const reading = readMt940(text);
    t.same(codesOf(reading.errors), codesOf(errors), `${file}: errors`);
    t.same(namesOf(reading.warnings), namesOf(warnings), `${file}: warnings`);
    t.equal(isUsable(readBankStatement(bytes, { format: null, mapping: null })), expect !== 'reject', `${file}: ${expect}`);
    t.equal(reading.statements.length, facts.statements.length, `${file}: statements`);
    for (const [at, wanted] of facts.statements.entries()) {
      const found = reading.statements[at];
      t.match(found, { line: wanted.line, reference: wanted.reference, account: wanted.account, currency: wanted.closing.currency });
      t.equal(found?.openingCents, signedOf(wanted.opening), `${file}: opening`);
      t.equal(found?.closingCents, signedOf(wanted.closing), `${file}: closing`);
      if (wanted.available !== undefined) t.equal(found?.availableCents, signedOf(wanted.available), `${file}: available`);
      t.equal(found?.asOfDay == null ? null : formatDay(found.asOfDay), wanted.closing.date);
      t.equal(found?.entries.length, wanted.entryCount, `${file}: entries`);
      const sums = (found?.entries ?? []).reduce(
        ({ credits, debits }, { amountCents }) =>
          amountCents > 0 ? { credits: credits + amountCents, debits } : { credits, debits: debits - amountCents },
        { credits: 0, debits: 0 },
      );
      t.same(sums, { credits: minor(wanted.creditSum), debits: minor(wanted.debitSum) }, `${file}: sums`);
      const lines = reading.lines[at] ?? [];
      t.same(
        lines.map(({ line, valueDate, entryDate, mark, fundsCode, amountCents, type, customerReference, bankReference, description }) => ({
          line,
          valueDate,
          entryDate,
          mark,
          fundsCode,
          amount: amountCents,
          type,
          customerReference,
          bankReference,
          hasDescription: description.length > 0,
        })),
        wanted.entries.map((entry) => ({ ...entry, amount: minor(entry.amount), customerReference: entry.customerReference.trim() })),
        `${file}: lines`,
      );
    }
  }
  t.end();
});
