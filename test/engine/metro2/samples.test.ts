import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { formatDay } from '../../../engine/index.js';
import { type AccountRecord, readFile } from '../../../engine/metro2/index.js';
import { missing, sharedFile } from '../../shared.js';

interface Entry {
  readonly file: string;
  readonly format: string;
  readonly expect: string;
  readonly facts: {
    readonly header?: Readonly<Record<string, unknown>> | null;
    readonly bases?: readonly (Readonly<Record<string, unknown>> & { readonly segments: readonly object[] })[];
    readonly trailer?: Readonly<Record<string, unknown>> | null;
  };
  readonly errors?: readonly { readonly code: string; readonly differences?: object }[];
}

const index = sharedFile('data', 'files', 'index.json');

const entries = (): readonly Entry[] =>
  index === undefined
    ? []
    : readFileSync(index, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"file"') && line.includes('metro2/'))
        .map((line) => JSON.parse(line.replace(/,$/, '')) as Entry);

/** Names of the sample index for fields of ours. */
const BASE_NAMES: Readonly<Record<string, string>> = {
  correction: 'correctionIndicator',
  accountNumber: 'consumerAccountNumber',
  scheduledPayment: 'scheduledMonthlyPayment',
  paymentHistory: 'paymentHistoryProfile',
  complianceCode: 'complianceConditionCode',
  originalChargeOff: 'originalChargeOffAmount',
  ecoa: 'ecoaCode',
};
const SEGMENT_NAMES: Readonly<Record<string, string>> = {
  ecoa: 'ecoaCode',
  min: 'mortgageNumber',
  name: 'purchasedSoldName',
  newAccountNumber: 'newConsumerAccountNumber',
};
const INDICATORS: Readonly<Record<string, string>> = { K2: 'purchasedSoldIndicator', K4: 'paymentIndicator', L1: 'changeIndicator' };

const isDate = (name: string): boolean => /^date|Date$|^deferredStart$|^balloonDue$/.test(name);

const shown = (record: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, isDate(name) && typeof value === 'number' ? formatDay(value as never) : value]),
  );

const renamed = (record: object, names: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value as unknown]));

function segmentsShown(account: AccountRecord): readonly object[] {
  const { base: _base, ...segments } = account;
  return Object.entries(segments).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : value === null ? [] : [value]).map((one: object) => ({ segment: name, ...shown(one) })),
  );
}

test('files of other projects are read field by field', { skip: index === undefined && missing('data', 'files') }, async (t) => {
  let compared = 0;
  for (const { file, format, facts, expect, errors = [] } of entries()) {
    if (format !== 'metro2') continue;
    const read = readFile(readFileSync(sharedFile('data', 'files', file) ?? '', 'latin1'));
    const isAccepted = read.faults.length === 0;
    t.equal(isAccepted, expect === 'accept', `${file}: ${expect} ${JSON.stringify(read.faults.slice(0, 5))}`);
    if (read.faults.some(({ code }) => code === 'not-characters')) continue; // the packed format

    if (expect === 'accept') {
      t.match(shown(read.header ?? {}), facts.header ?? {}, `${file}: header`);
      t.match(shown(read.trailer ?? {}), facts.trailer ?? {}, `${file}: trailer`);
    }
    const bases = facts.bases ?? [];
    if (!errors.some(({ code }) => code === 'record-unreadable' || code === 'unknown-segment')) {
      t.equal(read.accounts.length, bases.length, `${file}: accounts`);
    }
    for (const [at, base] of bases.entries()) {
      const account = read.accounts[at];
      if (account === undefined) continue;
      const { segments, ...fields } = base;
      // Nine zeros mean that the number is unknown.
      const known = { ...fields, ...(fields['ssn'] === '000000000' ? { ssn: null } : {}) };
      t.match(shown(account.base), renamed(known, BASE_NAMES), `${file}: base ${at + 1}`);
      const wanted = segments.map((one) => {
        const { segment, indicator, ...others } = one as { readonly segment: string; readonly indicator?: string };
        return {
          segment,
          ...renamed(others, SEGMENT_NAMES),
          ...(indicator === undefined ? {} : { [INDICATORS[segment] ?? '']: indicator }),
        };
      });
      t.match(segmentsShown(account), wanted, `${file}: segments ${at + 1}`);
      compared += 1;
    }
    const differing = errors.find(({ code }) => code === 'trailer-totals')?.differences;
    if (differing !== undefined)
      t.strictSame(
        read.faults
          .filter(({ code }) => code === 'trailer-totals')
          .map(({ field }) => field)
          .toSorted(),
        Object.keys(differing).toSorted(),
        `${file}: totals that differ`,
      );
  }
  t.ok(compared >= 8, `${compared} accounts were compared`);
});
