import { homeAddressOf, nameAndBirthOf, type PersonState, zoneOfAddress, zoneOfPerson } from '../borrower/index.js';
import type { QueryEnv } from '../kernel/actor.js';

/** A borrower whose sealed data is opened once for all columns. */
export class PersonItem {
  #home: ReturnType<typeof homeAddressOf> | undefined;
  #named: ReturnType<typeof nameAndBirthOf> | undefined;

  constructor(
    readonly state: PersonState,
    private readonly env: QueryEnv,
  ) {}

  get home(): ReturnType<typeof homeAddressOf> {
    return this.#home === undefined ? (this.#home = homeAddressOf(this.env, this.state)) : this.#home;
  }

  get timezone(): string | null {
    return this.home === null ? zoneOfPerson(this.env, this.state) : zoneOfAddress(this.home);
  }

  get named(): ReturnType<typeof nameAndBirthOf> {
    return (this.#named ??= nameAndBirthOf(this.env, this.state));
  }
}
