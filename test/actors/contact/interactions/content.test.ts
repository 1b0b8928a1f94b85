import { test } from 'tap';
import { textOf } from '../../../../actors/contact/interactions/draft.js';

test('the text of an interaction is its HTML without tags, also with stray angle brackets', async (t) => {
  t.equal(textOf({ contentHtml: '<p>Paid <b>today</b></p>', transcript: 'yes' }), ' Paid  today  \nyes');
  t.equal(textOf({ contentHtml: 'a < b <i>c</i> d < e' }), 'a  c  d < e');
  t.equal(textOf({ contentHtml: '' }), '');
  const many = '<'.repeat(1_000_000);
  t.equal(textOf({ contentHtml: many }), many);
});
