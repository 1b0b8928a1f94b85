import type { tags } from 'typia';

/*
 * The value formats of the interface. typia checks each of them in bodies and queries. A JSON
 * number in a request has at most 15 significant digits (the gateway refuses others), so its shortest decimal is the text
 * that was sent, and `round(x * 10^n) / 10^n === x` holds exactly for numbers with at most n decimals.
 */

/**
 * At most as many decimals as `Scale` has zeros. Schemas have a format instead of `multipleOf`: in binary floats 0.07 is not a multiple
 * of 0.01, so a standard validator would refuse correct amounts.
 */
type Decimals<Scale extends number, Step extends number> = tags.TagBase<{
  target: 'number';
  kind: 'decimals';
  value: Scale;
  validate: `Math.round($input * ${Scale}) / ${Scale} === $input`;
  schema: { format: Step extends 0.01 ? 'decimal-cents' : 'decimal-rate' };
}>;

/** Money, zero or more, at most two decimals: `12.50`. */
export type Amount = number & Decimals<100, 0.01> & tags.Minimum<0> & tags.Maximum<9999999999999.99>;

/** Money above zero, at most two decimals: `12.50`. */
export type PositiveAmount = number & Decimals<100, 0.01> & tags.ExclusiveMinimum<0> & tags.Maximum<9999999999999.99>;

/** Money of either sign, at most two decimals: `-12.50`. */
export type SignedAmount = number & Decimals<100, 0.01> & tags.Minimum<-9999999999999.99> & tags.Maximum<9999999999999.99>;

/** A rate a year, zero or more, at most eight decimals: `0.0525` is 5.25 %. */
export type RateValue = number & Decimals<100000000, 0.00000001> & tags.Minimum<0> & tags.Maximum<999999.99999999>;

/** A rate a year of either sign, at most eight decimals. */
export type SignedRateValue = number & Decimals<100000000, 0.00000001> & tags.Minimum<-999999.99999999> & tags.Maximum<999999.99999999>;

/** An amount before rounding, with ten decimals, as text: `15.3863013699`. */
export type UnroundedText = string & tags.Pattern<'^-?\\d+\\.\\d{10}$'>;

/** A calendar date that exists: `2026-02-28`. */
export type DateText = string & CalendarDate;

/** Months of 31, of 30 and 28 days, and 29 February of the leap years from 1900 to 2299. */
type DatePattern =
  '(?:(?:19|2[0-2])\\d\\d-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:(?:19|2[0-2])(?:0[48]|[2468][048]|[13579][26])|2000)-02-29)';

type CalendarDate = tags.TagBase<{
  target: 'string';
  kind: 'date';
  value: 'YYYY-MM-DD';
  validate: `/^${DatePattern}$/.test($input)`;
  schema: { format: 'date' };
}>;

/** ISO 8601 in UTC with `Z` or with an offset; fractions of a second to any precision. */
export type DateTimeText = string & Instant;

type TimePattern = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,30})?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';

type Instant = tags.TagBase<{
  target: 'string';
  kind: 'dateTime';
  value: 'ISO 8601';
  validate: `/^${DatePattern}T${TimePattern}$/.test($input)`;
  schema: { format: 'date-time' };
}>;

export interface TimeOfDay {
  readonly hour: Whole & tags.Maximum<23>;
  readonly minute: Whole & tags.Maximum<59>;
  readonly second: Whole & tags.Maximum<59>;
}

/** A whole number, zero or more, up to 2^32 - 1. */
export type Whole = number & tags.Type<'uint32'>;

/** A service id, `ext-` with an external id, or digits. */
export type AnyId = string & tags.Pattern<'^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\\d+'> & tags.MaxLength<300>;

/** The caller's own id, without `ext-`, unique in a company, mode and kind of object. */
export type ExternalId = string & tags.MinLength<1> & tags.MaxLength<50>;

/** External ids of contacts and other objects for which people.md allows 255 characters. */
export type LongExternalId = string & tags.MinLength<1> & tags.MaxLength<255>;

/**
 * Stored and returned unchanged. At most 50 keys of up to 100 characters, with values of up to 500 characters.
 */
export type MetaData = { readonly [key: string]: (string & tags.MaxLength<500>) | number | boolean | null };

/** An object that is stored as sent. */
export type FreeJson = { readonly [key: string]: unknown };

export type ShortText = string & tags.MaxLength<100>;
export type Text = string & tags.MaxLength<1000>;
