import { test } from 'tap';
import { type CardNetwork, isCardBin, networkOfBin } from '../../../engine/index.js';

/** The ranges that networks publish (ISO/IEC 7812): the first and the last number of each, in six to eight digits. */
const RANGES: readonly (readonly [first: string, last: string, network: CardNetwork])[] = [
  ['400000', '499999', 'visa'],
  ['510000', '559999', 'mastercard'],
  ['222100', '272099', 'mastercard'],
  ['340000', '349999', 'americanExpress'],
  ['370000', '379999', 'americanExpress'],
  ['601100', '601199', 'discover'],
  ['644000', '649999', 'discover'],
  ['650000', '659999', 'discover'],
  ['300000', '305999', 'dinersClub'],
  ['360000', '369999', 'dinersClub'],
  ['380000', '399999', 'dinersClub'],
  ['352800', '358999', 'jcb'],
  ['620000', '629999', 'unionPay'],
  ['501800', '501899', 'maestro'],
  ['502000', '502099', 'maestro'],
  ['503800', '503899', 'maestro'],
  ['630400', '630499', 'maestro'],
  ['675900', '675999', 'maestro'],
  ['676100', '676399', 'maestro'],
];

/** Neighbors of the ranges that belong to no network. */
const NOBODYS: readonly string[] = [
  '000000',
  '222099',
  '272100',
  '306000',
  '330000',
  '350000',
  '352799',
  '359000',
  '500000',
  '501799',
  '501900',
  '502100',
  '503799',
  '503900',
  '560000',
  '601000',
  '601200',
  '610000',
  '630399',
  '630500',
  '643999',
  '660000',
  '675899',
  '676000',
  '676400',
  '999999',
];

test('the first digits of a card name its network, from the first number of a range through the last', async (t) => {
  for (const [first, last, network] of RANGES) {
    t.strictSame([networkOfBin(first), networkOfBin(last)], [network, network], `${first} through ${last}`);
    t.equal(networkOfBin(`${first}00`), network, 'with eight digits');
    t.equal(networkOfBin(`${last}99`), network);
  }
});

test('a number outside of the ranges has no network', async (t) => {
  for (const bin of NOBODYS) t.equal(networkOfBin(bin), undefined, bin);
});

test('every prefix of six digits has the network of its range', async (t) => {
  const expected = (bin: string): CardNetwork | undefined => RANGES.find(([first, last]) => bin >= first && bin <= last)?.[2];
  const wrong: string[] = [];
  for (let number = 0; number < 1_000_000; number += 10) {
    const bin = String(number).padStart(6, '0');
    if (networkOfBin(bin) !== expected(bin)) wrong.push(bin);
  }
  t.strictSame(wrong, []);
});

test('only six to eight digits are the prefix of a card', async (t) => {
  for (const bin of ['411111', '4111111', '41111111', '000000']) t.ok(isCardBin(bin), bin);
  for (const text of ['', '41111', '411111111', '41111a', '4111 11', '-411111', '411111\n']) t.notOk(isCardBin(text), JSON.stringify(text));
});
