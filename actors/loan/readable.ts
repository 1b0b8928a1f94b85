/** Null of what cannot be read while its data key is missing: sealed bytes stand there. */
export const readable = <Value extends object>(value: Value | null): Value | null => (value instanceof Uint8Array ? null : value);
