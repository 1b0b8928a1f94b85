/** A changed field as events tell it. */
export interface FieldChange {
  readonly field: string;
  readonly oldValue: unknown;
  readonly newValue: unknown;
}

type Shown = Readonly<Record<string, unknown>>;

/** What is different between two states as the interface shows them. */
export const fieldChanges = (before: Shown, after: Shown): readonly FieldChange[] =>
  Object.entries(after).flatMap(([field, newValue]) => {
    const oldValue = before[field];
    return JSON.stringify(oldValue) === JSON.stringify(newValue) ? [] : [{ field, oldValue, newValue }];
  });
