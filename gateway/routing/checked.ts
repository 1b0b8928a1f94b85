/** A fault as typia reports it. */
interface ReportedFault {
  /** `$input.fees[0].amount` */
  readonly path: string;
  readonly expected: string;
  readonly value?: unknown;
}

type Validation<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly data?: unknown; readonly errors: readonly ReportedFault[] };

/** JSON schemas of one type, as `typia.json.schemas<[T], '3.1'>()` makes them. */
export interface SchemaCollection {
  readonly version: '3.1';
  readonly components: { readonly schemas?: Readonly<Record<string, unknown>> };
  readonly schemas: readonly unknown[];
}

/**
 * A type of the wire at run time: its validator and its schema. typia compiles both from the type, which must be
 * concrete where they are written:
 *
 *     body: { validate: typia.misc.createValidatePrune<FreezeLoan>(), schemas: typia.json.schemas<[FreezeLoan], '3.1'>() },
 *
 * `createValidatePrune` takes properties off that the type does not name: unknown ones are ignored.
 */
export interface Checked<T> {
  readonly validate: (input: unknown) => Validation<T>;
  readonly schemas: SchemaCollection;
}
