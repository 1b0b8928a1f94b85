/**
 * Header fields that many replies share, joined once: each call into the library costs about as much as writing a
 * whole line, so all of them go with one call. For constants alone, never for anything that a caller sent.
 */
export class SharedHeaders {
  readonly name: string;
  /** The first field's value and the lines of the others. */
  readonly value: string;

  constructor(first: readonly [string, string], others: Readonly<Record<string, string>>) {
    this.name = first[0];
    this.value = [first[1], ...Object.entries(others).map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  }
}
