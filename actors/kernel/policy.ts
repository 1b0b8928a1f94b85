import { type Day, must } from '../../engine/index.js';
import type { ActorDefinition, ActorModule, CommandContext, CommandSpec, DecideEnv, Decision } from './actor.js';
import type { FactDraft } from './fact.js';

/**
 * A question that a domain asks of a later one in the order of domains (`actors/index.ts`), without importing it: the earlier domain
 * declares the question, the later one answers it in a row of `actors/policies.ts`. `Env` is what the answer may know.
 */
export interface Question<Env, Args extends readonly unknown[], Result> {
  readonly name: string;
  /** Never called: it carries the types. */
  readonly type?: (env: Env, ...args: Args) => Result;
}

export const question = <Env, Args extends readonly unknown[], Result>(name: string): Question<Env, Args, Result> => ({ name });

/** Finds the answer to a question. Every environment of a decision, a fact or a query has it. */
export interface Asking {
  answerTo<Env, Args extends readonly unknown[], Result>(question: Question<Env, Args, Result>): (env: Env, ...args: Args) => Result;
}

/** Asks a question of a later domain. A question without a row is a bug. */
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
    const given = must(this.#byName.get(name), `${name} is answered by a row of actors/policies.ts`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `answer` has taken it with the types of the question of this name
    return given as (env: Env, ...args: Args) => Result;
  }
}

/** The state of any kind of actor: a row of a table names its kind, and reads what that kind's domain exports. */
type AnyState = never;

/** The context of any command. */
type AnyContext = CommandContext<AnyState, never, never>;

type AnySpec = CommandSpec<AnyState, never, never>;

/** What a policy is around: the next policy, and at last the command itself. */
type Inner<State, Body, Query> = Pick<CommandSpec<State, Body, Query>, 'decide'>;

/** A row of the table of policies: rules that apply to some commands. */
export interface Policy {
  readonly name: string;
  /** Called once for each command, when the engine is created. */
  appliesTo(spec: AnySpec): boolean;
  /** Refuses, or continues with the next. It may pass another context. */
  decide(context: AnyContext, next: Inner<AnyState, never, never>, spec: AnySpec): Decision<AnyState>;
}

/** A policy for the commands of one kind of actor, for the table. */
export const around =
  <State, Body, Query>(
    decide: (
      context: CommandContext<State, Body, Query>,
      decide: (context: CommandContext<State, Body, Query>) => Decision<State>,
    ) => Decision<State>,
  ): Policy['decide'] =>
  (context: CommandContext<State, Body, Query>, next: Inner<State, Body, Query>) =>
    decide(context, (own) => next.decide(own));

/** A row of the table of reactions: facts that are recorded beside those of a command, in the same batch. */
export interface Reaction {
  readonly name: string;
  /** The kind of actor whose commands it follows. What such a command records on an actor of another kind sets off no rows of that kind. */
  readonly kind: string;
  /** Types of facts that it looks for. */
  readonly on: readonly string[];
  /** Only for these commands; absent: for all that record such a fact. */
  readonly commands?: readonly string[];
  /** `context.state` is the actor before the command; `facts` are all that the command and earlier rows record. */
  react(context: CommandContext<AnyState>, facts: readonly FactDraft[]): readonly FactDraft[];
  /** Follows such a fact, too, where a closed day brings it instead of a command. `state` is the actor after it. */
  reactToDay?(state: AnyState, fact: FactDraft, env: DecideEnv): readonly FactDraft[];
}

export interface Rules {
  readonly policies: readonly Policy[];
  readonly reactions: readonly Reaction[];
  readonly answers: readonly Answer[];
}

/**
 * Modules whose commands decide under the tables of `actors/policies.ts` and `actors/reactions.ts`. Policies are asked in the order of
 * their table, the reactions follow the command's own facts in theirs. A preview and a command without effect set off no reaction. What
 * closed days bring is followed as well by rows that say so.
 */
export const underRules = (modules: readonly ActorModule[], { policies, reactions, answers }: Rules): readonly ActorModule[] =>
  modules.map((module, at) => ({
    ...module,
    definition: reactingToDays(module.definition, reactions),
    commands: module.commands.map((spec) => underPolicies(reacting(spec, reactions), policies)),
    answers: [...(module.answers ?? []), ...(at === 0 ? answers : [])],
  }));

const underPolicies = (spec: AnySpec, policies: readonly Policy[]): AnySpec =>
  policies
    .filter((policy) => policy.appliesTo(spec))
    .reduceRight((inner, policy) => ({ ...inner, decide: (context: AnyContext) => policy.decide(context, inner, spec) }), spec);

/** The kind of actor with what follows the facts that closed days bring. */
function reactingToDays(definition: ActorDefinition<unknown>, reactions: readonly Reaction[]): ActorDefinition<unknown> {
  const rows = reactions.filter((row) => row.kind === definition.kind && row.reactToDay !== undefined);
  if (rows.length === 0 || definition.catchUp === undefined) return definition;
  return {
    ...definition,
    *catchUp(state: AnyState, throughDay: Day, env: DecideEnv): Iterable<FactDraft> {
      for (const draft of definition.catchUp?.(state, throughDay, env) ?? []) {
        yield draft;
        for (const row of rows) if (row.on.includes(draft.type)) yield* row.reactToDay?.(state, draft, env) ?? [];
      }
    },
  };
}

function reacting(spec: AnySpec, reactions: readonly Reaction[]): AnySpec {
  const rows = reactions.filter(({ kind, commands }) => kind === spec.kind && (commands?.includes(spec.type) ?? true));
  if (rows.length === 0) return spec;
  return {
    ...spec,
    decide(context) {
      const decision = spec.decide(context);
      if (decision.preview === true || decision.facts.length === 0) return decision;
      const facts = rows.reduce(
        (known, row) => (known.some(({ type }) => row.on.includes(type)) ? [...known, ...row.react(context, known)] : known),
        decision.facts,
      );
      return facts === decision.facts ? decision : { ...decision, facts };
    },
  };
}
