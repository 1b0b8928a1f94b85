import {
  type CardAccess,
  type CardForProcessor,
  keyOfCardCall,
  OutsideFault,
  ServiceCalls,
  type Tenant,
  verificationOf,
} from '../../actors/index.js';
import { dayAt } from '../../engine/index.js';
import type { EngineCalls } from '../engine-calls.js';
import type { AddressRules } from '../outgoing.js';
import { CardHttp } from './card-http.js';

interface Asked {
  readonly tenant: Tenant;
  readonly personId: string;
  readonly instrumentId: string;
  /** It is in the memory of this request alone. */
  readonly cvv: string | null;
}

/**
 * Has a processor verify a new card while its request waits. False: the processor could not be asked, and the card stays pending until the
 * service has asked it again, without the security code.
 */
export async function verifyCardNow(
  engine: EngineCalls,
  rules: AddressRules,
  { tenant, personId, instrumentId, cvv }: Asked,
): Promise<boolean> {
  const calls = new ServiceCalls(engine, tenant);
  const params = { personId, paymentInstrumentId: instrumentId };
  const card = await calls.query<CardForProcessor | null>('paymentInstrument.card', personId, {}, params);
  if (card === null || card.processorId === null) return false;
  const ofProcessor = { paymentProcessorId: card.processorId };
  const access = await calls.query<CardAccess>('paymentProcessor.cardAccess', tenant.company, {}, ofProcessor);
  const asked = { key: keyOfCardCall(tenant, instrumentId, 'verify'), reference: instrumentId, day: dayAt('UTC', Date.now()), card, cvv };
  try {
    const body = verificationOf(await new CardHttp(rules).verify(access, asked));
    await calls.command({ type: 'paymentInstrument.cardVerification', target: personId, params, body });
    return true;
  } catch (cause) {
    if (cause instanceof OutsideFault) return false;
    throw cause;
  }
}
