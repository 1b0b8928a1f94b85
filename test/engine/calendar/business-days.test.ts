import { test } from 'tap';
import { addBusinessDays, formatDay, holidays, isBusinessDay, shiftToBusinessDay } from '../../../engine/index.js';
import { dayFrom } from '../numbers.js';

/** The Federal Reserve's own table; the days in brackets are Saturdays, on which the Banks close no other day. */
const CLOSED: Readonly<Record<number, readonly string[]>> = {
  2020: ['01-01', '01-20', '02-17', '05-25', '(07-04)', '09-07', '10-12', '11-11', '11-26', '12-25'],
  2021: ['01-01', '01-18', '02-15', '05-31', '(06-19)', '07-05', '09-06', '10-11', '11-11', '11-25', '(12-25)'],
  2022: ['(01-01)', '01-17', '02-21', '05-30', '06-20', '07-04', '09-05', '10-10', '11-11', '11-24', '12-26'],
  2023: ['01-02', '01-16', '02-20', '05-29', '06-19', '07-04', '09-04', '10-09', '(11-11)', '11-23', '12-25'],
  2024: ['01-01', '01-15', '02-19', '05-27', '06-19', '07-04', '09-02', '10-14', '11-11', '11-28', '12-25'],
  2025: ['01-01', '01-20', '02-17', '05-26', '06-19', '07-04', '09-01', '10-13', '11-11', '11-27', '12-25'],
};

for (const [year, expected] of Object.entries(CLOSED)) {
  test(`the Federal Reserve Banks close on the holidays of ${year}`, (t) => {
    const computed = holidays(Number(year)).map(({ date, observed }) =>
      observed === null ? `(${formatDay(date).slice(5)})` : formatDay(observed).slice(5),
    );
    t.same(computed, expected);
    t.end();
  });
}

test('a holiday on a Sunday closes the Monday, one on a Saturday leaves the Friday open', (t) => {
  t.notOk(isBusinessDay(dayFrom('2022-12-26')));
  t.ok(isBusinessDay(dayFrom('2021-12-24')));
  t.ok(isBusinessDay(dayFrom('2021-12-31')));
  t.notOk(isBusinessDay(dayFrom('2023-01-02')));
  t.end();
});

test('business days are counted over weekends and holidays, in both directions', (t) => {
  const moved = (from: string, days: number): string => formatDay(addBusinessDays(dayFrom(from), days));
  t.equal(moved('2024-07-03', 1), '2024-07-05');
  t.equal(moved('2024-07-03', 3), '2024-07-09');
  t.equal(moved('2024-07-06', 1), '2024-07-08', 'from a Saturday');
  t.equal(moved('2024-07-08', -1), '2024-07-05');
  t.equal(moved('2024-07-05', -1), '2024-07-03');
  t.equal(moved('2024-07-06', 0), '2024-07-08');
  t.equal(moved('2024-07-05', 0), '2024-07-05');
  t.end();
});

test('a due date on another day is kept or moved as the loan type says', (t) => {
  const saturday = dayFrom('2024-07-06');
  t.equal(shiftToBusinessDay(saturday, 'keep'), saturday);
  t.equal(formatDay(shiftToBusinessDay(saturday, 'next')), '2024-07-08');
  t.equal(formatDay(shiftToBusinessDay(saturday, 'previous')), '2024-07-05');
  t.equal(formatDay(shiftToBusinessDay(dayFrom('2024-07-05'), 'next')), '2024-07-05');
  t.end();
});
