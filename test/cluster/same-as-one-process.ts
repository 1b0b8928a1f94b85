import type { Test } from 'tap';
import { ACCOUNT } from '../actors/borrower/lender.js';
import { loanBody } from '../actors/loan/setting.js';
import type { HttpAnswer } from '../gateway/harness.js';
import { type HttpLender, listOf, openHttpLender } from '../gateway/routes/http-lender.js';
import type { Random } from '../random.js';

/** A name for an object of a pair, in paths and bodies: each of the two has it under an id of its own. */
const NAME = /~[a-z]+\d+/g;
const ID = /[A-Z][A-Z0-9]-[A-Z1-9]{4}-[A-Z1-9]{4}/g;

/** One of the two, called with names instead of ids. */
export class Named {
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();

  constructor(readonly lender: HttpLender) {}

  ask(method: string, path: string, body?: object, question: Parameters<HttpLender['ask']>[3] = {}): Promise<HttpAnswer> {
    return this.lender.ask(method, this.#withIds(path), body && (JSON.parse(this.#withIds(JSON.stringify(body))) as object), question);
  }

  name(name: string, id: unknown): void {
    this.#ids.set(name, String(id));
    this.#names.set(String(id), name);
  }

  /** The text with names instead of ids; of other ids only their kind stays. */
  named(text: string): string {
    return text.replaceAll(ID, (id) => this.#names.get(id) ?? id.slice(0, 2)).replaceAll(`:${this.lender.port}/`, ':port/');
  }

  #withIds(text: string): string {
    return text.replaceAll(NAME, (name) => this.#ids.get(name) ?? name);
  }
}

/** A cluster and one process with the same data. */
export interface Pair {
  readonly cluster: Named;
  readonly alone: Named;
  /** Writes to both; a created object gets the name. */
  write(name: string | null, method: string, path: string, body?: object): Promise<void>;
}

export async function openPair(t: Test): Promise<Pair> {
  const [cluster, alone] = [new Named(await openHttpLender(t, 'cluster')), new Named(await openHttpLender(t, 'oneProcess'))];
  let writes = 0;
  return {
    cluster,
    alone,
    async write(name, method, path, body) {
      writes += 1;
      for (const one of [cluster, alone]) {
        const answer = await one.ask(method, path, body, { headers: { 'Idempotency-Key': `write-${writes}` } });
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
        const data = answer.json['data'];
        if (name !== null) one.name(name, (Array.isArray(data) ? listOf(answer)[0] : (data as Readonly<Record<string, unknown>>))?.['id']);
      }
    },
  };
}

/** Borrowers with loans, instruments, payments and promises, on all shards. */
export async function fillPair({ write, cluster }: Pair, random: Random, people: number): Promise<void> {
  for (const name of ['~type0', '~type1']) {
    const product = {
      type: 'installment',
      name: `Loans of ${name.slice(1)}`,
      assetType: 'personalClosedEndUnsecured',
      assetDisplayName: 'A loan',
    };
    await write(name, 'POST', `/companies/${cluster.lender.company}/loan-types`, product);
  }
  let [loans, payments] = [0, 0];
  for (let person = 0; person < people; person++) {
    const at = `/people/~p${person}`;
    const name = { firstName: NAMES[random.below(NAMES.length)], lastName: NAMES[random.below(NAMES.length)] };
    await write(`~p${person}`, 'POST', '/people', { ...(random.below(3) === 0 ? {} : { externalId: `p-${person}` }), name });
    await write(`~i${person}`, 'POST', `${at}/payment-instruments?force=true`, { ...ACCOUNT, verified: true });
    for (let more = random.below(3); more > 0; more--, loans++) {
      const loan = `${at}/loans/~l${loans}`;
      const externalId = random.below(2) === 0 ? {} : { externalId: `l-${loans}` };
      await write(`~l${loans}`, 'POST', `${at}/loans`, { ...loanBody(`~type${random.below(2)}`), ...externalId });
      if (random.below(4) === 0) continue;
      await write(null, 'POST', `${loan}/activate`, {});
      for (let paid = random.below(4); paid > 0; paid--, payments++) {
        await write(`~t${payments}`, 'POST', `${loan}/transactions`, {
          type: 'oneTime',
          amount: 10 + random.below(5),
          paymentInstrumentId: `~i${person}`,
        });
      }
      if (random.below(3) === 0)
        await write(`~o${loans}`, 'POST', `${loan}/promise-to-pay-plans`, { schedule: [{ dueDate: '2026-03-20', amount: 25 }] });
    }
  }
}

const NAMES = ['Ada', 'Bela', 'Cato', 'Dora', 'Emil', 'Fritz', 'Gerda', 'Hanno'];
