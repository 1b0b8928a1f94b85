import { test } from 'tap';
import { comparableLoan, loanParts, packLoan } from '../../../actors/loan/packing.js';
import type { LoanState } from '../../../actors/loan/state.js';
import { Packer } from '../../../actors/kernel/journal/packer.js';
import { must } from '../../../engine/index.js';
import { openSetting } from './setting.js';

const PAYMENT = { type: 'oneTime', amount: 0.01, isExternal: true, status: 'succeeded' } as const;
/** Payments of a page of each list that grows with them. */
const PAGE = 128;

void test('a snapshot of a loan with many payments stores no more again than one of a loan with few', async (t) => {
  const { h, active } = await openSetting();
  const { id } = await active();
  const state = (): LoanState => must(h.engine.stateOf<LoanState>({ company: h.company, mode: 'test' }, 'loan', id), 'the loan');
  const pay = async (payments: number): Promise<void> => {
    for (let payment = 0; payment < payments; payment += 1) await h.data('transaction.create', id, PAYMENT, { permissions: ['*'] });
  };
  const bytes = (): number => new Packer().begin().value(packLoan(state())).end().length;

  await pay(PAGE - 1);
  const young = bytes();
  t.strictSame(namesOf(state()), ['origination', 'contract']);

  await pay(4 * PAGE);
  const old = bytes();
  const parts = loanParts(state());
  t.equal(namesOf(state()).filter((name) => name.startsWith('facts-')).length, 4);
  t.equal(namesOf(state()).filter((name) => name.startsWith('transactions-')).length, 4);
  t.ok(old < young * 1.1, `${old} bytes beside ${young}`);

  await pay(PAGE - 1);
  packLoan(state());
  const isKept = parts.map(({ name, value }) => loanParts(state()).some((part) => part.name === name && part.value === value));
  t.ok(
    isKept.every((kept) => kept),
    'and what fills a page is stored once',
  );
  await h.engine.close();
});

void test('a loan that is read in passing is not kept, and reads what it began with when somebody asks for it', async (t) => {
  const { h, active } = await openSetting();
  const { id } = await active();
  await h.restart();
  const tenant = { company: h.company, mode: 'test' } as const;
  const passing = must(h.scope(id).stateInPassing<LoanState>('loan', id), 'the loan');
  const isRead = (): boolean =>
    'value' in must(Object.getOwnPropertyDescriptor(must(passing.record, 'a record'), 'atOrigination'), 'a property');
  const size = h.engine.world.actorCache.size;
  t.notOk(isRead());
  const kept = must(h.engine.stateOf<LoanState>(tenant, 'loan', id), 'the loan');
  t.equal(h.engine.world.actorCache.size, size + 1);
  t.notOk(kept === passing);
  t.strictSame(comparableLoan(passing), comparableLoan(kept));
  t.ok(isRead());
  t.equal(passing.record?.atOrigination.amountFinancedCents, kept.record?.atOrigination.amountFinancedCents);
  await h.engine.close();
});

const namesOf = (state: LoanState): readonly string[] => loanParts(state).map(({ name }) => name);
