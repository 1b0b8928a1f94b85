import { must } from '../../engine/index.js';

/**
 * What a domain needs of one that comes after it in the order of domains (`actors/index.ts`), without importing it: the earlier domain
 * declares the question, the later one answers it in a row of `actors/policies.ts`. `Env` is what the answer may know.
 */
export interface Question<Env, Args extends readonly unknown[], Result> {
  readonly name: string;
  /** Never called: it carries the types. */
  readonly type?: (env: Env, ...args: Args) => Result;
}

export const question = <Env, Args extends readonly unknown[], Result>(name: string): Question<Env, Args, Result> => ({ name });

/** Looks up what answers a question. Every environment of a decision, a fact or a query has it. */
export interface Asking {
  answerTo<Env, Args extends readonly unknown[], Result>(question: Question<Env, Args, Result>): (env: Env, ...args: Args) => Result;
}

/** Asks a question of a later domain. A question that no row answers is a bug. */
export const ask = <Env extends Asking, Args extends readonly unknown[], Result>(
  env: Env,
  asked: Question<Env, Args, Result>,
  ...args: Args
): Result => env.answerTo(asked)(env, ...args);

/** A row of the table of answers. */
export interface Answer {
  readonly name: string;
  readonly answer: unknown;
}

export const answer = <Env, Args extends readonly unknown[], Result>(
  { name }: Question<Env, Args, Result>,
  given: (env: Env, ...args: Args) => Result,
): Answer => ({ name, answer: given });

/** All answers of an engine, by the names of their questions. */
export class Answers implements Asking {
  readonly #byName: ReadonlyMap<string, unknown>;

  constructor(rows: readonly Answer[]) {
    this.#byName = new Map(rows.map((row) => [row.name, row.answer]));
  }

  answerTo<Env, Args extends readonly unknown[], Result>({ name }: Question<Env, Args, Result>): (env: Env, ...args: Args) => Result {
    return must(this.#byName.get(name), `${name} is answered by a row of actors/policies.ts`) as never;
  }
}
