import { type Opener, openJson, sealJson, type Sealer } from './fields.js';
import type { Instrument, InstrumentDetails, InstrumentSecrets } from './state.js';

type Told = Pick<Instrument, 'nickname' | 'details'>;
type Stored = Told & Pick<Instrument, 'personal'>;

/** Nickname and details as they are stored: what tells whose account it is, sealed. */
export function withSecretsSealed(env: Sealer, personId: string, instrumentId: string, { nickname, details }: Told): Required<Stored> {
  const { accountNumberLastFour, cardNumberLastFour, checkNumber, reference, ...plain } = details;
  const secrets: InstrumentSecrets = {
    nickname,
    ...(accountNumberLastFour === undefined ? {} : { accountNumberLastFour }),
    ...(cardNumberLastFour === undefined ? {} : { cardNumberLastFour }),
    ...(checkNumber === undefined ? {} : { checkNumber }),
    ...(reference === undefined ? {} : { reference }),
  };
  return { nickname: null, details: plain, personal: sealJson(env, personId, 'instrument.personal', instrumentId, secrets) };
}

/** The instrument as its borrower knows it. Of one who was erased the secrets are not there any more. */
export function withSecretsOpen(env: Opener, personId: string, instrument: Instrument): Instrument {
  if (instrument.personal === undefined) return instrument;
  const secrets = openJson<InstrumentSecrets>(env, personId, 'instrument.personal', instrument.id, instrument.personal);
  if (secrets === null) return instrument;
  const { nickname, ...details } = secrets;
  return { ...instrument, nickname, details: { ...(instrument.details satisfies InstrumentDetails), ...details } };
}
