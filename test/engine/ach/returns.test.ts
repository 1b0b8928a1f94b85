import { test } from 'tap';
import {
  achText,
  codeOf,
  correctionOf,
  effectiveEntryDay,
  formatDay,
  isInSameDayWindow,
  isLateReturn,
  mayRepresent,
  RETURN_CODES,
  settlementDayOf,
  transactionCode,
} from '../../../engine/index.js';
import { dayFrom } from '../numbers.js';

test('a debit returned for lack of funds may be presented again twice, within 180 days of its settlement', (t) => {
  const settled = dayFrom('2026-06-03');
  const asked = (returnCode: string, attempts: number, on: string): boolean => mayRepresent({ returnCode, settled, attempts }, dayFrom(on));
  t.ok(asked('R01', 0, '2026-06-08'));
  t.ok(asked('R09', 1, '2026-11-30'), '180 days after 3 June is 30 November');
  t.notOk(asked('R01', 0, '2026-12-01'), 'the 181st day');
  t.notOk(asked('R01', 2, '2026-06-08'), 'no third re-presentment');
  for (const code of ['R02', 'R05', 'R07', 'R08', 'R10', 'R24', 'R77', 'R99']) t.notOk(asked(code, 0, '2026-06-08'), code);
  t.end();
});

test('a return is late after two banking days, or after sixty days where the customer did not authorize the debit', (t) => {
  const settled = dayFrom('2026-07-01'); // a Wednesday before Independence Day, which falls on a Saturday
  const late = (code: string, received: string): boolean => isLateReturn(code, settled, dayFrom(received));
  t.notOk(late('R01', '2026-07-03'), 'the second banking day: the banks are open on the Friday before a Saturday holiday');
  t.ok(late('R01', '2026-07-06'));
  t.notOk(late('R10', '2026-08-31'), 'the banking day after the sixtieth day, 30 August, a Sunday');
  t.ok(late('R10', '2026-09-01'));
  t.notOk(late('R06', '2027-01-01'), 'a return by agreement has no window');
  t.ok(late('R29', '2026-07-06'), 'a corporate customer has two banking days');
  t.end();
});

test('files settle by the Federal Reserve calendar', (t) => {
  t.equal(formatDay(effectiveEntryDay(dayFrom('2026-11-25'), false)), '2026-11-27', 'the day before Thanksgiving');
  t.equal(formatDay(effectiveEntryDay(dayFrom('2026-11-25'), true)), '2026-11-25');
  t.equal(formatDay(effectiveEntryDay(dayFrom('2026-11-28'), true)), '2026-11-30', 'a Saturday');
  t.equal(formatDay(settlementDayOf(dayFrom('2026-11-20'), dayFrom('2026-11-25'))), '2026-11-27', 'a stale effective entry date');
  t.equal(formatDay(settlementDayOf(null, dayFrom('2026-11-25'))), '2026-11-27');
  t.ok(isInSameDayWindow(dayFrom('2026-11-25'), 60_300), '16:45 in New York');
  t.notOk(isInSameDayWindow(dayFrom('2026-11-25'), 60_301));
  t.notOk(isInSameDayWindow(dayFrom('2026-11-26'), 30_000), 'Thanksgiving');
  t.end();
});

test('corrected data of notifications of change are found by position, and by their blanks', (t) => {
  t.same(correctionOf('C01', '1918171614'), { accountNumber: '1918171614' });
  t.same(correctionOf('C02', '231380104'), { routingNumber: '231380104' });
  t.same(correctionOf('C03', '231380104   744-5678-99'), { routingNumber: '231380104', accountNumber: '744-5678-99' });
  t.same(correctionOf('C03', '231380104 744-5678-99'), { routingNumber: '231380104', accountNumber: '744-5678-99' });
  t.same(correctionOf('C04', 'QUIMBY ANNABELLE'), { holderName: 'QUIMBY ANNABELLE' });
  t.equal(correctionOf('C04', ''), undefined);
  t.equal(correctionOf('C04', 'ANN & BOB'), undefined, 'an account has no such name');
  t.same(correctionOf('C05', '37'), { transactionCode: '37' });
  t.same(correctionOf('C06', '1918171614          37'), { accountNumber: '1918171614', transactionCode: '37' });
  t.same(correctionOf('C06', '0 7654321 37'), { accountNumber: '0 7654321', transactionCode: '37' }, 'an account number with a blank');
  t.same(correctionOf('C07', '2313801041918171614       37'), {
    routingNumber: '231380104',
    accountNumber: '1918171614',
    transactionCode: '37',
  });
  t.equal(correctionOf('C02', '23138010'), undefined, 'badly formed');
  t.equal(correctionOf('C02', '231380105'), undefined, 'a wrong check digit');
  t.equal(correctionOf('C03', '231380105   744-5678-99'), undefined);
  t.equal(correctionOf('C07', '2313801051918171614       37'), undefined);
  t.equal(correctionOf('C02', '800000003'), undefined, 'travelers checks: no entry can be sent to it');
  t.equal(correctionOf('C02', '000000000'), undefined);
  t.equal(correctionOf('C13', ''), undefined, 'corrects nothing of an account');
  t.end();
});

test('every return code names its class, window and consequence; codes of entries are found in both directions', (t) => {
  for (const code of ['R01', 'R09']) t.equal(RETURN_CODES.get(code)?.consequence, 'represent');
  for (const code of ['R02', 'R03', 'R04', 'R12', 'R20']) t.equal(RETURN_CODES.get(code)?.consequence, 'disable');
  for (const code of ['R05', 'R07', 'R10', 'R11', 'R51', 'R53', 'R37']) t.same(RETURN_CODES.get(code)?.window, { calendarDays: 60 }, code);
  for (const code of ['22', '23', '24', '27', '28', '29', '32', '33', '34', '37', '38', '39', '21', '26', '31', '36']) {
    const known = transactionCode(code);
    t.equal(known && codeOf(known), code);
  }
  t.equal(transactionCode('57'), undefined, 'a loan is not debited');
  t.equal(achText('José Ñandú & Co', 11), 'JOSE NANDU');
  t.end();
});
