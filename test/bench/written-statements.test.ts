import { test } from 'tap';
import { bai2File, type BankLine, camt053File, type WrittenStatement } from '../../bench/bank/written-statements.js';
import { addDays, must, parseDay, readBankStatement, statementOfAccount } from '../../engine/index.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';

const CHARACTERS = Array.from('ABCXYZ0189 .-&<>"');

const FIRST = must(parseDay('2026-03-03'), 'a day');

function randomStatement(random: Random): WrittenStatement {
  const text = (longest: number): string =>
    Array.from({ length: random.below(longest) }, () => random.pick(CHARACTERS))
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const lines = Array.from({ length: random.below(30) }, (_, at): BankLine => {
    const isIn = random.below(2) === 0;
    return {
      day: FIRST,
      cents: (isIn ? 1 : -1) * (1 + random.below(random.below(2) === 0 ? 1_000 : 2_000_000_000)),
      code: isIn ? random.pick(['165', '195', '257']) : random.pick(['455', '495', '557']),
      bankReference: `B${at}`,
      customerReference: `C${at}.${random.below(9)}`,
      text: text(60),
    };
  });
  return { account: String(1_000_000 + random.below(9_000_000)), day: FIRST, openingCents: random.below(10_000_000) - 5_000_000, lines };
}

test('what the simulated bank has written is read back equal, in both formats, and a changed amount is noticed', (t) => {
  const random = new Random(SEED);
  for (let round = 0; round < 200; round += 1) {
    const written = randomStatement(random);
    const { account, openingCents, lines } = written;
    const closingCents = lines.reduce((sum, line) => sum + line.cents, openingCents);
    for (const [format, file] of [
      ['bai2', bai2File(written)],
      ['camt053', camt053File(written)],
    ] as const) {
      const reading = readBankStatement(Buffer.from(file), { format: null, mapping: null });
      const found = statementOfAccount(reading, account);
      const wanted = {
        format,
        errors: [],
        warnings: [],
        opening: openingCents,
        closing: closingCents,
        entries: lines.map(({ day, cents, code, bankReference, customerReference, text }) => ({
          day,
          cents,
          code,
          references: [bankReference, customerReference],
          text,
        })),
      };
      const own =
        typeof found === 'string'
          ? found
          : {
              format: reading.format,
              errors: reading.errors,
              warnings: found.warnings,
              opening: found.openingCents,
              closing: found.closingCents,
              entries: found.entries.map(({ day, amountCents, code, references, text }) => ({
                day,
                cents: amountCents,
                code,
                references,
                text,
              })),
            };
      if (JSON.stringify(own) !== JSON.stringify(wanted)) t.same(own, wanted, `round ${round} in ${format}`);
    }
    const [first] = lines;
    if (first === undefined) continue;
    const change = { ...written, lines: [{ ...first, cents: first.cents + 1 }, ...lines.slice(1)] };
    const [body] = bai2File(change).split('\n49,');
    const [, end] = bai2File(written).split('\n49,');
    const mixed = readBankStatement(Buffer.from(`${body ?? ''}\n49,${end ?? ''}`), { format: null, mapping: null });
    if (mixed.errors.length === 0) t.fail(`round ${round}: a changed amount was not noticed`);
  }
  t.end();
});

test('commas, slashes and lines within what a bank writes do not break its records', (t) => {
  const line = { day: FIRST, cents: 100, code: '195', bankReference: 'a,b/c', customerReference: 'd\ne', text: 'one/ 16,195,5 two\n03,x' };
  const statement = {
    account: '44',
    day: FIRST,
    openingCents: 0,
    lines: [line, { ...line, day: addDays(FIRST, 0), cents: -5, code: '495' }],
  };
  for (const file of [bai2File(statement), camt053File(statement)]) {
    const reading = readBankStatement(Buffer.from(file), { format: null, mapping: null });
    t.same(reading.errors, []);
    t.match(reading.statements, [{ entries: [{ amountCents: 100 }, { amountCents: -5 }] }]);
  }
  t.end();
});
