import { test } from 'tap';
import { isRoutingNumber, routingFacts } from '../../../engine/index.js';

test('a routing number has nine digits and a check digit', (t) => {
  for (const known of ['011000015', '021000021', '121000248', '322271627']) t.ok(isRoutingNumber(known), known);
  for (const wrong of ['021000022', '21000021', '0210000210', '02100002a', '']) t.notOk(isRoutingNumber(wrong), wrong);
  t.end();
});

test('every changed digit breaks the check', (t) => {
  const number = '121000248';
  for (let index = 0; index < 9; index++) {
    for (let step = 1; step < 10; step++) {
      const digit = (Number(number[index]) + step) % 10;
      t.notOk(isRoutingNumber(number.slice(0, index) + String(digit) + number.slice(index + 1)));
    }
  }
  t.end();
});

test('the prefix names the issuer’s group and the district', (t) => {
  t.match(routingFacts('121000248'), { group: 'primary', federalReserveDistrict: 12, isAchParticipant: true, isWireParticipant: true });
  t.match(routingFacts('322271627'), { group: 'thrift', federalReserveDistrict: 12 });
  t.equal(routingFacts('500000005'), undefined, 'no such prefix is issued');
  t.end();
});
