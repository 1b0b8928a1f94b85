import { type Test, test } from 'tap';
import { Refusal } from '../../../../actors/index.js';
import { addDays, formatDay, must, parseDay } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { type Data, itemsOf } from '../../harness.js';
import { Listener } from '../listener.js';
import { external, openPaySetting, type PaySetting } from './setting.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 12);
const STEPS = 30;

const INSTRUMENTS = ['PT-CHEC-KING', 'PT-BOUN-CESS', 'PT-LATE-BACK', 'PT-CHEK-CHEK'];
const STATUSES = ['pending', 'succeeded', 'failed', 'inDispute', 'chargeback', 'canceled', 'scheduled'];

const KINDS_OF_ORDERS = 10;
const ORDERS = ['freeze', 'unfreeze', 'unfreeze', 'accelerate', 'reverseAccelerate', 'chargeOff', 'reverseChargeOff', 'reverseChargeOff'];

/** One life of a loan: random payments, credits and changes to them over random days. */
class Life {
  #today = must(parseDay('2024-01-15'), 'a date');

  constructor(
    private readonly t: Test,
    private readonly s: PaySetting,
    private readonly random: Random,
  ) {}

  /** Whether it was an order; else days have passed. */
  async step(): Promise<boolean> {
    const kind = this.random.below(13);
    await this.#do(kind);
    return kind < KINDS_OF_ORDERS;
  }

  async #do(kind: number): Promise<void> {
    const { s, random } = this;
    const amount = random.below(40_000) / 100 + 0.01;
    switch (kind) {
      case 0:
        return this.#book({
          type: 'oneTime',
          amount,
          paymentInstrumentId: this.random.pick(INSTRUMENTS),
          ...this.random.maybe({ scheduledDate: this.#day(20) }),
        });
      case 1:
        return this.#book(
          external({ amount, ...this.random.maybe({ effectiveDate: this.#day(-20) }), ...this.random.maybe({ status: 'succeeded' }) }),
        );
      case 2:
        return this.#book({
          type: 'serviceCredit',
          amount,
          serviceCreditDetails: { type: 'courtesy' },
          ...this.random.maybe({ scheduledDate: this.#day(9) }),
        });
      case 3:
        return this.#onOne((id) =>
          s.act('update', id, {
            status: this.random.pick(STATUSES),
            failureReason: 'paymentStopped',
            ...this.random.maybe({ actualAmount: amount }),
          }),
        );
      case 4:
        return this.#onOne((id) => s.act('backdate', id, { effectiveDate: this.#day(-20) }));
      case 5:
        return this.#onOne((id) => s.act('reverse', id));
      case 6:
        return this.#onOne((id) =>
          random.below(2) === 0 ? s.act('cancel', id) : s.act('reschedule', id, { scheduledDate: this.#day(9) }),
        );
      case 7:
        return this.#allowed(() =>
          s.h.command(`loan.${this.random.pick(ORDERS)}`, s.loanId, { chargedOffReason: 'term' }, { permissions: ['*'] }),
        );
      case 8:
        return this.#onOne((id) => this.#chargeBack(id, { amount, status: this.random.pick(['open', 'lost']) }));
      case 9:
        return this.#onOne((id) =>
          this.#changeChargeback(id, { status: this.random.pick(['won', 'lost', 'reversed']), ...this.random.maybe({ amount }) }),
        );
      default:
        this.#today = addDays(this.#today, 1 + random.below(12));
        return s.pass(formatDay(this.#today));
    }
  }

  async #chargeBack(transactionId: string, body: object): Promise<void> {
    await this.s.h.command('chargeback.create', this.s.loanId, body, { permissions: ['*'], params: { transactionId } });
  }

  async #changeChargeback(transactionId: string, body: object): Promise<void> {
    const { h, loanId } = this.s;
    const known = itemsOf(await h.query('chargeback.list', loanId, {}, { params: { transactionId } }));
    const chargebackId = known.length === 0 ? 'TC-NONE-NONE' : this.random.pick(known).id;
    await h.command('chargeback.update', loanId, body, { permissions: ['*'], params: { transactionId, chargebackId } });
  }

  /** A preview shows what booking then does. */
  async #book(body: object): Promise<void> {
    await this.#allowed(async () => {
      const shown = await this.s.post({ ...body, previewMode: true });
      const made = await this.s.post(body);
      this.t.same(comparable(shown), comparable(made), 'preview equals booking');
    });
  }

  async #onOne(act: (id: string) => Promise<unknown>): Promise<void> {
    const known = itemsOf(await this.s.h.query('transaction.list', this.s.loanId, { limit: 100 }));
    const [chosen] = known.length === 0 ? [] : [this.random.pick(known)];
    if (chosen !== undefined) await this.#allowed(() => act(chosen.id));
  }

  /** Refusing is right; anything else than a refusal of the caller is not. */
  async #allowed(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (cause) {
      if (!(cause instanceof Refusal) || ![400, 404, 409, 422].includes(cause.statusCode)) throw cause;
    }
  }

  #day(within: number): string {
    return formatDay(addDays(this.#today, this.random.towards(within)));
  }
}

/** What a preview and the booking have in common: all but what is made on the way. */
function comparable({
  id: _id,
  operationId: _operation,
  timestamps: _times,
  createdAt: _created,
  updatedAt: _updated,
  ...rest
}: Data & Record<string, unknown>): object {
  return rest;
}

const centsOf = (value: unknown): number => Math.round(Number(value) * 100);

/** The split of what counts is the whole of it, and the principal that is left is what nobody has paid. */
async function checkSums(t: Test, { h, loanId }: PaySetting): Promise<void> {
  const all = itemsOf(await h.query('transaction.list', loanId, { limit: 100 }));
  let paidPrincipal = 0;
  for (const one of all) {
    const parts = ['paidPrincipalAmount', 'paidInterestAmount', 'paidFeesAmount', 'paidOverAmount'].map((name) => centsOf(one[name]));
    const total = parts.reduce((sum, part) => sum + part, 0);
    const { amount } = one['chargebackDetails'] as { readonly amount: number };
    if (total !== 0 && total + centsOf(amount) !== centsOf(one['actualAmount']))
      t.fail(`${one.id} splits ${centsOf(one['actualAmount'])} into ${parts.join(' + ')}`);
    paidPrincipal += parts[0] ?? 0;
  }
  const balances = await h.query('loan.balances', loanId, { isRounded: true });
  const { outstandingBalances, chargedOffBalances } = balances as unknown as Readonly<Record<string, Readonly<Record<string, number>>>>;
  const left = centsOf(outstandingBalances?.['outstandingPrincipalAmount']) + centsOf(chargedOffBalances?.['chargedOffPrincipalAmount']);
  if (left !== 1_000_000 - paidPrincipal) t.fail(`${left} of principal is left after ${paidPrincipal}`);
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`transactions keep their sums, their previews and their memory (TENOR_SEED=${seed})`, async (t) => {
    const setting = await openPaySetting();
    const life = new Life(t, setting, new Random(seed));
    const listener = new Listener(setting.h, setting.loanId);
    for (let step = 0; step < STEPS; step += 1) {
      const isOrder = await life.step();
      await checkSums(t, setting);
      const faults = await listener.faults(isOrder);
      if (faults.length > 0) t.fail(faults.join('; '));
    }
    const { h, loanId } = setting;
    const shown = [await h.query('transaction.list', loanId, { limit: 100 }), await h.query('loan.balances', loanId)];
    await h.restart();
    t.same(
      [await h.query('transaction.list', loanId, { limit: 100 }), await h.query('loan.balances', loanId)],
      shown,
      'the same after a restart',
    );
    t.same(h.reports, []);
  });
}
