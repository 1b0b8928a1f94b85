import { test } from 'tap';
import { isAmong, normalized } from '../../../actors/borrower/verifications/normalize.js';

test('dates in different formats are equal', async (t) => {
  for (const text of ['1984-05-17', '5/17/1984', '05-17-1984', 'May 17, 1984', '17 may 1984', 'May 17th 1984'])
    t.equal(normalized('date', text), '1984-05-17', text);
  for (const text of ['', '1984', '5/17/84', '2/30/1984', 'tomorrow', '1984-13-01']) t.equal(normalized('date', text), '', text);
});

test('money is compared with two decimals, numbers by their digits, texts without case and accents', async (t) => {
  t.equal(normalized('money', ' $1,234.5 '), '1234.50');
  t.equal(normalized('money', 'much'), '');
  t.equal(normalized('digits', '900-11 2233'), '900112233');
  t.equal(normalized('text', '  José  NÚÑEZ-Lopez '), 'jose nunez lopez');
  t.equal(normalized('street', '12 North Larkspur Lane'), normalized('street', '12 N. larkspur ln'));
});

test('an empty answer is never right', async (t) => {
  t.notOk(isAmong('text', '', ['']));
  t.notOk(isAmong('digits', 'none', ['none']));
  t.notOk(isAmong('text', 'a', []));
  t.ok(isAmong('text', 'b', ['a', 'B']));
});
