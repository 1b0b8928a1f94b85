import { test } from 'tap';
import { formatDay, must, parseDay, readBankStatement, readCamt053, readMt940, statementOfAccount } from '../../../engine/index.js';
import { Random } from '../../random.js';
import { SEED } from '../../seed.js';

const ANY = { format: null, mapping: null };

const codesOf = (text: string): readonly string[] => readBankStatement(Buffer.from(text), ANY).errors.map(({ code }) => code);

test('a document type is refused before any entity of it is looked at', (t) => {
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
  t.same(codesOf(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>&l9;</a>`), ['doctype']);
  t.same(codesOf('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'), ['doctype']);
  t.same(codesOf('<a>&other;</a>'), ['xml-not-well-formed'], 'there are no entities but those of XML');
  t.end();
});

test('XML that is deep, cut off or broken ends at the line where it is', (t) => {
  t.same(codesOf('<a>\n'.repeat(100_000)), ['too-deep']);
  t.match(readCamt053('<a>\n<b>\n</a>').errors, [{ code: 'xml-not-well-formed', line: 3 }]);
  t.same(codesOf('<a><b>'), ['xml-not-well-formed']);
  t.same(codesOf(`<a ${'b="c" '.repeat(1)}>${'x'.repeat(5_000_000)}</a>`), ['no-BkToCstmrStmt'], 'a long text is read past');
  t.end();
});

test('long lines, too many characters, too many entries and too many faults have bounds', (t) => {
  t.same(codesOf(`01,${'9'.repeat(70_000)}/`), ['line-too-long', 'no-file-header', 'no-file-trailer']);
  t.same(codesOf(`:20:A\n:25:${'9'.repeat(70_000)}\n`), ['line-too-long', 'no-opening-balance', 'no-closing-balance']);
  t.ok(codesOf(`01,${' '.repeat(17 * 1024 * 1024)}`).includes('too-many-characters'));
  const faulty = readBankStatement(Buffer.from(`01,a,b,260303,0000,1,,,2/\n${'77,x/\n'.repeat(1_000)}`), ANY).errors;
  t.equal(faulty.length, 201);
  t.equal(faulty.at(-1)?.code, 'too-many-faults');
  const entries = '16,195,1,,,/\n'.repeat(20_001);
  t.ok(codesOf(`01,a,b,260303,0000,1,,,2/\n02,b,a,1,260303,,USD,2/\n03,1,USD,/\n${entries}49,20001,20003/\n`).includes('too-many-entries'));
  t.end();
});

test('whatever the bytes are, the answer is a reading within a second', (t) => {
  const random = new Random(SEED);
  const starts = ['', '01,', '<Document>', ':20:', '<?xml version="1.0"?><BkToCstmrStmt><Stmt>', '{1:F01}{4:\n:20:X\n:61:'];
  const pieces = [
    ',',
    '/',
    '\n',
    '16,',
    '88,',
    '03,',
    '49,',
    '<Ntry>',
    '</Ntry>',
    '<Amt Ccy="USD">',
    '&',
    ':61:',
    ':86:',
    '9',
    ' ',
    '"',
    '\u0000',
    '\ud800',
  ];
  const mapping = { dateFormat: 'YYYY-MM-DD', columns: { bookingDate: 'a', amount: 'b' } } as const;
  for (let round = 0; round < 400; round += 1) {
    const body = Array.from({ length: random.below(400) }, () => random.pick(pieces)).join('');
    const bytes = Buffer.from(random.pick(starts) + body);
    for (const order of [ANY, { format: 'csv', mapping } as const]) {
      const begun = performance.now();
      const { errors, statements } = readBankStatement(bytes, order);
      if (errors.length === 0 && statements.length === 0) t.fail(`round ${round}: nothing was read, and nothing was said`);
      if (performance.now() - begun > 1_000) t.fail(`round ${round} took ${performance.now() - begun} ms`);
    }
  }
  t.end();
});

test('a reversal of MT940 is money the other way, and 30 February the last of that month', (t) => {
  const { statements, errors } = readMt940(
    [
      ':20:A',
      ':25:021000021/4400112233',
      ':28C:1/1',
      ':60F:C260302USD100,',
      ':61:2603030303RC20,NTRFREF1//B1',
      ':86:A CREDIT TAKEN BACK',
      ':61:2602300303RD5,5NTRFREF2//B2',
      ':61:2601011231C7,NTRFREF3',
      ':62F:C260303USD92,5',
      '-',
    ].join('\n'),
  );
  t.same(errors, []);
  t.match(statements[0]?.entries, [
    { amountCents: -2_000, isReversal: true, references: ['REF1', 'B1'], text: 'A CREDIT TAKEN BACK' },
    { amountCents: 550, isReversal: true },
    { amountCents: 700 },
  ]);
  const days = statements[0]?.entries.map(({ valueDay, bookingDay }) =>
    [valueDay, bookingDay].map((day) => (day === null ? null : formatDay(day))),
  );
  t.same(days, [
    ['2026-03-03', '2026-03-03'],
    ['2026-02-28', '2026-03-03'],
    ['2026-01-01', '2025-12-31'],
  ]);
  t.end();
});

test('where a bank keeps the direction of the original on a reversal, the closing balance decides', (t) => {
  const balance = (code: string, amount: string): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
  const camt = (closing: string): string =>
    '<Document><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><Othr><Id>1</Id></Othr></Id><Ccy>USD</Ccy></Acct>' +
    `${balance('OPBD', '100')}${balance('CLBD', closing)}<Ntry><Amt Ccy="USD">10</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd>` +
    '</Ntry></Stmt></BkToCstmrStmt></Document>';
  t.match(readCamt053(camt('110')), { warnings: [], statements: [{ entries: [{ amountCents: 1_000 }] }] });
  t.match(readCamt053(camt('90')), { warnings: [], statements: [{ entries: [{ amountCents: -1_000 }] }] });
  t.match(readCamt053(camt('95')), { warnings: [{ code: 'balance-does-not-follow' }] });
  t.end();
});

test('of a file with several accounts, the statements of the account alone are one', (t) => {
  const part = (account: string, date: string, opening: number, amount: number): string =>
    `02,b,a,1,${date},,USD,2/\n03,${account},USD,010,${opening},,,015,${opening + amount},,/\n16,195,${amount},,,/\n` +
    `49,${2 * opening + 2 * amount},3/\n98,${2 * opening + 2 * amount},1,5/\n`;
  const file = (second: number): Buffer =>
    Buffer.from(
      `01,a,b,260304,0000,1,,,2/\n${part('0004400', '260304', second, 7)}${part('99', '260303', 0, 1)}${part('4400', '260303', 100, 5)}` +
        `99,${2 * second + 14 + 2 + 210},3,17/\n`,
    );
  const reading = readBankStatement(file(105), ANY);
  t.same(reading.errors, []);
  const day = (text: string): number => must(parseDay(text), text);
  t.match(statementOfAccount(reading, '4400'), {
    fromDay: day('2026-03-03'),
    throughDay: day('2026-03-04'),
    openingCents: 100,
    closingCents: 112,
    creditCents: 12,
    entries: [{ amountCents: 5 }, { amountCents: 7 }],
    warnings: [],
  });
  t.match(statementOfAccount(readBankStatement(file(106), ANY), '4400'), { warnings: [{ code: 'balance-does-not-follow' }] });
  t.equal(statementOfAccount(reading, '5500'), 'noSuchAccount');
  t.end();
});

test('CSV of banks is read in their dates, signs, marks and orders', (t) => {
  const read = (text: string, mapping: object) =>
    readBankStatement(Buffer.from(text), { format: 'csv', mapping: { dateFormat: 'MM/DD/YYYY', ...mapping } as never });
  t.match(
    read('Date;Soll;Haben\n03.03.2026;1.000,50;\n04.03.2026;;7\n', {
      delimiter: ';',
      dateFormat: 'DD.MM.YYYY',
      decimalMark: ',',
      columns: { bookingDate: 'Date', debit: 'Soll', credit: 'Haben' },
    }).statements[0]?.entries,
    [{ amountCents: -100_050 }, { amountCents: 700 }],
  );
  t.match(
    read('x\nDate,Amt,DC\n3/3/2026,$5.00,DEBIT\n3/3/2026,6.00,Credit\n', {
      skipLines: 1,
      creditTexts: ['credit'],
      columns: { bookingDate: 'Date', amount: 'Amt', direction: 'DC' },
    }).statements[0]?.entries,
    [
      { amountCents: -500, line: 3 },
      { amountCents: 600, line: 4 },
    ],
  );
  const newestFirst = read('Date,Amt,Bal\n03/04/2026,5.00,15.00\n03/03/2026,10.00,10.00\n', {
    columns: { bookingDate: 'Date', amount: 'Amt', balance: 'Bal' },
  });
  t.match(newestFirst.statements[0], { openingCents: 0, closingCents: 1_500, entries: [{ amountCents: 1_000 }, { amountCents: 500 }] });
  t.match(
    read('Date,Amt,Bal\n03/04/2026,5.00,15.00\n03/03/2026,10.00,11.00\n', {
      columns: { bookingDate: 'Date', amount: 'Amt', balance: 'Bal' },
    }).warnings,
    [{ code: 'balance-does-not-follow' }],
  );
  t.match(read('Date,Amt\n02/30/2026,5.00\n03/03/2026,\n03/03/2026,5,6\n', { columns: { bookingDate: 'Date', amount: 'Amt' } }).errors, [
    { code: 'date-not-valid', line: 2 },
    { code: 'row-without-amount', line: 3 },
    { code: 'row-not-readable', line: 4 },
  ]);
  t.match(
    read('Date,Amt\n03/03/2026,5.00\n', { sign: 'debitPositive', columns: { bookingDate: 'Date', amount: 'Amt' } }).statements[0]?.entries,
    [{ amountCents: -500 }],
  );
  t.match(read('Date,"Amt\n1,2', { columns: { bookingDate: 'Date', amount: 'Amt' } }).errors, [{ code: 'row-not-readable' }]);
  t.end();
});

test('bytes are text of the encoding that they declare, and of an older one only where none is declared', (t) => {
  const csv = { format: 'csv', mapping: { dateFormat: 'YYYY-MM-DD', columns: { bookingDate: 'd', amount: 'a', text: ['t'] } } } as const;
  const latin = Buffer.from('d,a,t\n2026-03-03,1,José\n', 'latin1');
  t.match(readBankStatement(latin, csv).statements[0]?.entries, [{ text: 'José' }]);
  t.match(readBankStatement(latin, { ...csv, mapping: { ...csv.mapping, encoding: 'utf-8' } }).errors, [{ code: 'not-text' }]);
  const wide = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from('d,a,t\n2026-03-03,1,José\n', 'utf16le')]);
  t.match(readBankStatement(wide, csv).statements[0]?.entries, [{ text: 'José' }]);
  t.end();
});
