/** A JSON Schema: the parts that typia writes and this service reads. */
export interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** Schemas by the names of their types. */
export type NamedSchemas = Readonly<Record<string, Schema>>;

/** JSON schemas of one type, as `typia.json.schemas<[T], '3.1'>()` makes them. */
export interface SchemaCollection {
  readonly version: '3.1';
  readonly components: { readonly schemas?: NamedSchemas };
  readonly schemas: readonly Schema[];
}

/** The schema that a `$ref` names: its last part is the name. Undefined where there is none. */
export const referredIn = (schemas: NamedSchemas, reference: string): Schema | undefined =>
  schemas[reference.slice(reference.lastIndexOf('/') + 1)];
