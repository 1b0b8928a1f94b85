import { test } from 'tap';
import { addDays, dayOf, generalLedger, rate, RATE_ONE } from '../../../engine/index.js';

const FIRST = dayOf(2026, 3, 1);
const [LENDER, ALPHA, BETA] = ['IR-LEND', 'IR-ALPH', 'IR-BETA'];

const keepingOn = (basis: generalLedger.Basis): generalLedger.Keeping => ({
  basis,
  settings: { ...generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS, ownerBooks: 'ownShare', lenderInvestorId: LENDER },
});

const owner = (investor: string, share: number, priceRatio = 1): generalLedger.ShareOwner => ({
  investor,
  share: rate(Math.round(share * RATE_ONE)),
  priceRatio: Math.round(priceRatio * RATE_ONE),
});

/** Lines of all postings by account, in the order of their names. */
const linesOf = (postings: readonly { readonly lines: readonly generalLedger.Line[] }[]): readonly string[] =>
  generalLedger.balancesOfLines(postings.flatMap(({ lines }) => lines)).map((line) => `${generalLedger.accountKey(line)} ${line.amount}`);

const paid = (principal: number, day = FIRST): generalLedger.PaidPart => ({ transaction: 1, day, principal, interest: 0, fees: 0 });

test('a payment that is charged back after a sale comes back from the owners of its day', (t) => {
  const own = new generalLedger.OwnShareLedger(keepingOn('accrual'), [owner(LENDER, 0.5), owner(ALPHA, 0.5)]);
  own.post({ type: 'advance', amount: 10_000, feeWithheld: 0, feeKind: 'origination', counter: { role: 'clearingOutgoing' } });
  const counter = { role: 'clearingIncoming' } as const;
  t.strictSame(linesOf(own.post({ type: 'payment', parts: { principal: 1_001 }, counter }, [paid(1_001)])), [
    'clearingIncoming 1001',
    'gainOnSale -1', // the own part of the payment is 501, that of the balance falls by 500
    `investorPayable|investor=${ALPHA} -500`,
    'memoContra 501',
    'memoServicedPrincipal -501',
    'principalReceivable -500',
  ]);
  own.changeOwners([owner(LENDER, 0.25), owner(BETA, 0.75)], addDays(FIRST, 5));
  t.strictSame(linesOf(own.post({ type: 'takenBack', parts: { principal: 1_001 }, counter }, [paid(-1_001)])), [
    'clearingIncoming -1001',
    'gainOnSale 251',
    `investorPayable|investor=${ALPHA} 500`,
    'memoContra -751',
    'memoServicedPrincipal 751',
    'principalReceivable 250',
  ]);
  t.end();
});

test('fees of several kinds are one component, and a kind that is paid has no cent left', (t) => {
  const own = new generalLedger.OwnShareLedger(keepingOn('accrual'), [owner(LENDER, 0.5), owner(ALPHA, 0.5)]);
  const held: generalLedger.Line[] = [];
  const post = (event: generalLedger.AccountingEvent): void => void held.push(...own.post(event).flatMap(({ lines }) => lines));
  const feesHeld = (): readonly string[] =>
    generalLedger
      .balancesOfLines(held)
      .flatMap((line) => (line.role === 'feesReceivable' ? `${line.dimensions.feeKind} ${line.amount}` : []));
  post({ type: 'feeCharged', amount: 101, feeKind: 'late' });
  post({ type: 'feeCharged', amount: 201, feeKind: 'other' });
  t.strictSame(feesHeld(), ['late 51', 'other 100'], '151 of 302');
  post({ type: 'feeLowered', feeKind: 'late', parts: { fees: [{ kind: 'late', amount: 101 }] } });
  t.strictSame(feesHeld(), ['other 101'], '101 of 201');
  t.end();
});

test('what is deferred leaves with a share that is sold, and does not come back with it', (t) => {
  const own = new generalLedger.OwnShareLedger(keepingOn('accrual'), []);
  const line = (role: generalLedger.Role, amount: number) => ({ role, dimensions: {}, amount: amount as generalLedger.Line['amount'] });
  own.begin([line('principalReceivable', 10_000), line('deferredFees', -1_000)]);
  t.strictSame(linesOf(own.changeOwners([owner(ALPHA, 0.6, 1.01), owner(LENDER, 0.4)], FIRST)), [
    'deferredFees 600',
    'gainOnSale -660',
    `investorReceivable|investor=${ALPHA} 6060`,
    'memoContra -6000',
    'memoServicedPrincipal 6000',
    'principalReceivable -6000',
  ]);
  t.strictSame(linesOf(own.changeOwners([owner(LENDER, 1, 0.99)], addDays(FIRST, 1))), [
    'gainOnSale -60',
    `investorReceivable|investor=${ALPHA} -5940`,
    'memoContra 6000',
    'memoServicedPrincipal -6000',
    'principalReceivable 6000',
  ]);
  t.strictSame(linesOf(own.post({ type: 'amortization', of: 'originationFee', amount: 500 })), [
    'deferredFees 200',
    'feeAmortizationIncome -200',
  ]);
  t.end();
});

test('two buyers pay for what each of them gets of the lender, and a sale between others posts nothing', (t) => {
  const own = new generalLedger.OwnShareLedger(keepingOn('cash'), [owner(LENDER, 0.8), owner(ALPHA, 0.2)]);
  own.post({ type: 'advance', amount: 10_000, feeWithheld: 0, feeKind: 'origination', counter: { role: 'clearingOutgoing' } });
  own.post({ type: 'accrual', amount: 100 });
  const sold = own.changeOwners([owner(LENDER, 0.4), owner(ALPHA, 0.3, 1.02), owner(BETA, 0.3, 0.98)], FIRST);
  t.strictSame(linesOf(sold), [
    'gainOnSale 40', // 1,000 at 102 % and 3,000 at 98 %
    'interestIncome -40',
    `investorReceivable|investor=${ALPHA} 1030`,
    `investorReceivable|investor=${BETA} 2970`,
    'memoContra -4000',
    'memoServicedPrincipal 4000',
    'principalReceivable -4000',
  ]);
  t.strictSame(own.changeOwners([owner(LENDER, 0.4), owner(ALPHA, 0.6, 2)], addDays(FIRST, 1)), []);
  t.end();
});

test('the opening of a migrated loan has the own share, and the memoranda of the others', (t) => {
  const cause: generalLedger.Cause = { factId: 'LN-1-0', factType: 'activation', recordedAt: 0 };
  const owners = [owner(LENDER, 0.4), owner(ALPHA, 0.6)];
  const events: readonly generalLedger.AccountingEvent[] = [
    { type: 'advance', amount: 10_000, feeWithheld: 0, feeKind: 'origination', counter: { role: 'clearingOutgoing' } },
    { type: 'accrual', amount: 99 },
  ];
  const believed = generalLedger.believedOf(
    events.map((event) => ({ cause, day: FIRST, isDaily: false, event })),
    keepingOn('accrual'),
    { drawIdOf: String, ownership: [{ from: null, until: null, owners, cause }], through: addDays(FIRST, 9) },
  );
  const opening = generalLedger.asOpening(believed, addDays(FIRST, 5), cause);
  t.strictSame(linesOf(opening), [
    'interestReceivable 40', // 39.6
    'memoContra -6059',
    'memoServicedInterest 59',
    'memoServicedPrincipal 6000',
    'migrationOpening -4040',
    'principalReceivable 4000',
  ]);
  t.end();
});
