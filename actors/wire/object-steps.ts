/*
 * The text between the values of an object is nearly always the same as for the object before: the names of its properties,
 * and constants such as null. It is built once and cached as a path of steps from state to state:
 *
 *     {"id":"  LN-AB12-CD34  ","drawId":null,"isExternal":true,"amount":  12.50  ,"status":"  active  "}
 *     step to id             step to amount                             step to status                 the end
 *
 * A step leads to a property with a value of one kind. After a value that varies, the paths of all objects share one state,
 * so there are about as many steps as the interface has fields. Properties that callers name may add more: at the limit
 * the cache is emptied.
 */

/** Kinds of values: constants, texts that need no escaping, and all others. */
export const KIND = { null: 0, true: 1, false: 2, quoted: 3, other: 4 } as const;

export type Kind = (typeof KIND)[keyof typeof KIND];

/** A step to a property: the text between the last value that varies and this value, and the state after it. */
export interface Step {
  readonly key: string;
  readonly kind: Kind;
  readonly text: string;
  readonly next: PrintState;
}

/** The state of printing an object: at its beginning, or after a value. */
export class PrintState {
  /** The step that was taken from here last, which is most often the next one again. */
  newest: Step | null = null;
  /** By the key, then by the kind. */
  readonly steps = new Map<string, Step[]>();

  /** `owed`: text that is not printed yet, such as a closing quote. */
  constructor(
    readonly owed: string,
    readonly isBeginning = false,
  ) {}
}

/** Maximum number of cached steps, letters of a cached key, and letters of joined constants. */
export const STEP_LIMITS = { steps: 16_384, keyLength: 100, constantLength: 1_024 } as const;

let kept = 0;
let beginning = new PrintState('{', true);
const afterValues = new Map<string, PrintState>();

/** The state at the beginning of an object. */
export const beginningOfObject = (): PrintState => beginning;

/** The step from a state to a property. `keyText` prints a key. */
export function stepTo(state: PrintState, key: string, kind: Kind, keyText: (key: string) => string): Step {
  const known = state.steps.get(key)?.[kind];
  if (known !== undefined) {
    state.newest = known;
    return known;
  }
  const step = newStep(state, key, kind, keyText(key));
  if (key.length > STEP_LIMITS.keyLength || state.owed.length > STEP_LIMITS.constantLength) return step;
  if (kept >= STEP_LIMITS.steps) clear();
  keep(state, step);
  return step;
}

const OPENINGS = ['null', 'true', 'false', '"', ''] as const;
const CLOSINGS = ['', '', '', '"', ''] as const;

/** Whether the step itself has the text of the value. */
const isConstant = (kind: Kind): boolean => kind < KIND.quoted;

function newStep(state: PrintState, key: string, kind: Kind, keyText: string): Step {
  const text = flat(`${state.owed}${state.isBeginning ? '' : ','}${keyText}:${OPENINGS[kind]}`);
  return { key, kind, text, next: isConstant(kind) ? new PrintState(text) : afterValue(key, kind) };
}

const afterValue = (key: string, kind: Kind): PrintState => afterValues.get(`${kind}${key}`) ?? new PrintState(CLOSINGS[kind]);

function keep(state: PrintState, step: Step): void {
  const { key, kind } = step;
  const steps = state.steps.get(key) ?? [];
  steps[kind] = step;
  state.steps.set(key, steps);
  state.newest = step;
  if (!isConstant(kind)) afterValues.set(`${kind}${key}`, step.next);
  kept += 1;
}

/** Empties the cache. Objects that are being printed continue with the old states. */
function clear(): void {
  kept = 0;
  beginning = new PrintState('{', true);
  afterValues.clear();
}

/** Copies a joined text into one piece. V8 keeps a joined text as a tree of its parts, and would walk it at each print. */
const flat = (text: string): string => Buffer.from(text).toString();
