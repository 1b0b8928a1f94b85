import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { must } from '../../engine/index.js';
import { foundCompany } from '../cli/lookups.js';
import { importFile, noProgress } from '../import/import-file.js';
import { readMapping } from '../import/mapping.js';
import type { Benchmark } from './benchmark.js';
import { median } from './machine.js';

/** Random numbers that are the same for the same seed (xorshift, 32 bits): for generated portfolios, never for secrets. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  /** From 0 up to but not including `bound`. */
  below(bound: number): number {
    let value = this.#state;
    value ^= value << 13;
    value ^= value >>> 17;
    value ^= value << 5;
    this.#state = value >>> 0;
    return this.#state % bound;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }
}

const REPEATS = 3;
const MAPPING = resolve(import.meta.dirname, '../../../bench/import/lending-club.mapping.json');
const COLUMNS =
  'loan_id,state,loan_purpose,application_type,annual_income,loan_amount,term,interest_rate,installment,sub_grade,issue_month,loan_status';

/** The whole import, activation and reconciliation included, of a generated file in the layout of the example. */
export const importBenchmark: Benchmark = {
  name: 'import',
  title: 'Import of a CSV file: borrower, loan, activation and reconciliation of every row',
  size: { standard: 5_000, unit: 'rows' },
  async run({ access, folder, size, report }) {
    const rows = size ?? 5_000;
    const file = join(folder, 'loans.csv');
    await writeFile(file, generatedFile(rows));
    const mapping = await readMapping(MAPPING);
    const rates: number[] = [];
    for (let run = 1; run <= REPEATS; run++) {
      const service = await access.open({ dataFolder: join(folder, `data-${run}`), logLevel: 'warn' });
      try {
        await foundCompany(service.engine, service.settings);
        const { company } = must(service.engine.tenants()[0], 'a company');
        const summary = await importFile({
          engine: service.engine,
          tenant: { company, mode: 'test' },
          file,
          mapping,
          mappingFile: MAPPING,
          activates: true,
          asOf: '2018-02-15',
          errorsFile: join(folder, 'errors.csv'),
          progress: noProgress,
          stop: new AbortController().signal,
        });
        if (summary.booked !== rows) throw new Error(`${summary.booked} of ${rows} rows were booked.`);
        rates.push(summary.loansPerSecond);
        report(`import: ${summary.loansPerSecond} loans/s`);
      } finally {
        await service.close();
      }
    }
    return [{ name: 'loans imported', value: median(rates), unit: '/s' }];
  },
};

function generatedFile(rows: number): string {
  const random = new Random(11);
  const lines = Array.from({ length: rows }, (_, index) =>
    [
      `G${index}`,
      'IL',
      'car',
      'individual',
      41_000,
      1_000 + random.below(390) * 100,
      random.pick([36, 60]),
      random.pick([5.32, 9.44, 12.61, 17.09]),
      '',
      'A1',
      '2018-02',
      'Current',
    ].join(','),
  );
  return `${[COLUMNS, ...lines].join('\n')}\n`;
}
