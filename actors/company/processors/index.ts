import { must } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandSpec, QueryContext, QuerySpec } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/fact.js';
import { type AnyDeclaration, declaredCommands, declaredQueries, recordOf } from '../../kernel/resources/index.js';
import type { CompanyState } from '../state.js';
import { FUNDING_BALANCE } from './funding-balance.js';
import { FUNDING_INSTRUMENT, fundingInstrumentsOf } from './funding-instrument.js';
import type { OpeningKeys, SealingKeys } from '../pgp.js';
import { PAYMENT_PROCESSOR, type ProcessorPgp, processorsOf, type ProcessorSftp } from './processor.js';
import { openProcessorSecrets } from './secrets.js';

const DECLARED: readonly AnyDeclaration[] = [PAYMENT_PROCESSOR, FUNDING_INSTRUMENT, FUNDING_BALANCE];

/** How a bank is reached, its secrets in clear: it goes to the part that connects, and to nobody else. */
export interface BankAccess extends ProcessorSftp {
  /** Whose processor it is. */
  readonly tenant: Tenant;
  readonly password: string | null;
  readonly privateKey: string | null;
  readonly pgp: BankKeys;
}

/** How a processor of cards is called, its secrets in clear: for the parts that call it and check its callbacks, and for nobody else. */
export interface CardAccess {
  readonly processorId: string;
  readonly apiUrl: string | null;
  readonly apiKey: string | null;
  readonly webhookSecret: string | null;
}

/** Null: files leave in clear and unsigned; they come in clear. */
interface BankKeys {
  readonly sealing: SealingKeys | null;
  readonly opening: OpeningKeys | null;
}

/** An account of the lender with its number in clear: it goes to the part that reads statements, and to nobody else. */
export interface FundingAccount {
  readonly id: string;
  readonly processorId: string;
  readonly accountNumber: string;
}

/** The banks of a lender, and its accounts there. */
export const processorCommands: readonly CommandSpec<CompanyState>[] = DECLARED.flatMap((declaration) =>
  declaredCommands<CompanyState>('company', declaration),
);

export const processorQueries: readonly QuerySpec<CompanyState>[] = [
  ...DECLARED.flatMap((declaration) => declaredQueries<CompanyState>('company', declaration)),
  {
    kind: 'company',
    type: 'paymentProcessor.access',
    on: 'target',
    read({ state, request, env }): BankAccess {
      const { id } = recordOf(PAYMENT_PROCESSOR, state, request.params);
      const { sftp, secrets, pgp } = must(processorsOf(state).get(id), 'a processor that was found').stored;
      const { sftpPassword = null, sftpPrivateKey = null, gpgPrivateKey = null } = openProcessorSecrets(env, id, secrets);
      return { ...sftp, tenant: env.tenant, password: sftpPassword, privateKey: sftpPrivateKey, pgp: bankKeys(pgp, gpgPrivateKey) };
    },
  },
  {
    kind: 'company',
    type: 'paymentProcessor.cardAccess',
    on: 'target',
    read({ state, request, env }): CardAccess {
      const { id } = recordOf(PAYMENT_PROCESSOR, state, request.params);
      const { card, secrets } = must(processorsOf(state).get(id), 'a processor that was found').stored;
      if (card === undefined) refuse('invalidState', `The payment processor ${id} is not a processor of cards.`);
      const { cardApiKey = null, cardWebhookSecret = null } = openProcessorSecrets(env, id, secrets);
      return { processorId: id, apiUrl: card.apiUrl, apiKey: cardApiKey, webhookSecret: cardWebhookSecret };
    },
  },
  {
    kind: 'company',
    type: 'fundingInstrument.account',
    on: 'target',
    read({
      state,
      query: { fundingInstrumentId },
      env,
    }: QueryContext<CompanyState, { readonly fundingInstrumentId: string }>): FundingAccount {
      for (const processorId of processorsOf(state).keys()) {
        const found = fundingInstrumentsOf(state, processorId).find(
          ({ id, stored }) => id === fundingInstrumentId || `ext-${stored.externalId ?? ''}` === fundingInstrumentId,
        );
        if (found === undefined) continue;
        const { accountNumber = null } = openProcessorSecrets(env, found.id, found.stored.secrets);
        return { id: found.id, processorId, accountNumber: accountNumber ?? '' };
      }
      return refuseProperty('fundingInstrumentId', 'an account of the lender', `There is no funding instrument ${fundingInstrumentId}.`);
    },
  },
];

function bankKeys(pgp: ProcessorPgp | undefined, privateKey: string | null): BankKeys {
  if (pgp === undefined) return { sealing: null, opening: null };
  const { encryptsOutgoing, signsOutgoing, decryptsIncoming, bankKey } = pgp;
  const own = (): string => must(privateKey, 'a processor that signs or decrypts has a pair of keys');
  return {
    sealing:
      encryptsOutgoing || signsOutgoing ? { publicKey: encryptsOutgoing ? bankKey : null, signingKey: signsOutgoing ? own() : null } : null,
    opening: decryptsIncoming ? { privateKey: own(), senderKey: bankKey } : null,
  };
}
