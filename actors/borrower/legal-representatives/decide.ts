import { must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import { checkAddress, fullAddress } from '../address.js';
import { emailAddress, phoneNumber } from '../contact-values.js';
import { caseOf, type Context, decided, done, fact, mustMove, onPerson } from '../decide/common.js';
import { nameParts } from '../decide/names.js';
import { openJson, sealJson } from '../fields.js';
import { representativeView } from './queries.js';
import { findRepresentative, type LegalRepresentative, NO_DETAILS, type RepresentativeDetails } from './representative.js';
import type { RepresentativeBody, RepresentativeWriteQuery } from './wire.js';

/** Most of one borrower, archived ones among them. */
const MOST = 100;

export const createRepresentative = onPerson('legalRepresentative.create', (context) => {
  const { state, env } = context;
  mustMove(state, 'update');
  if (state.legalRepresentatives.length >= MOST)
    refuse('ruleViolation', `The borrower ${state.id} has ${MOST} legal representatives already.`);
  return recorded(context, { id: env.newId('LR'), status: 'active', details: NO_DETAILS, caseIds: [], metaData: null });
});

export const updateRepresentative = onPerson('legalRepresentative.update', (context) => {
  const { state, env } = context;
  mustMove(state, 'update');
  const { createdAt: _created, updatedAt: _updated, details, ...known } = representativeOf(context);
  const opened = openJson<RepresentativeDetails>(env, state.id, 'legalRepresentative', known.id, details);
  return recorded(context, { ...known, details: must(opened, 'the details of a reachable borrower can be read') });
});

/** Keeps it, out of the list. */
export const archiveRepresentative = onPerson('legalRepresentative.delete', (context) => {
  mustMove(context.state, 'update');
  const { createdAt: _created, updatedAt: _updated, ...known } = representativeOf(context);
  const archived = { ...known, status: 'archived' } as const;
  return done(known.status === 'archived' ? [] : [fact('LegalRepresentativeRecorded', { representative: archived })]);
});

function representativeOf({ state, command }: Context): LegalRepresentative {
  const id = command.params['legalRepresentativeId'] ?? '';
  return findRepresentative(state, id) ?? refuse('notFound', `There is no legal representative ${id}.`);
}

interface Draft extends Omit<LegalRepresentative, 'details' | 'createdAt' | 'updatedAt'> {
  readonly details: RepresentativeDetails;
}

/** Lays the body over what is known, and seals what is personal of it. */
function recorded(context: Context, before: Draft): ReturnType<typeof decided> {
  const { state, env } = context;
  const body = context.body as RepresentativeBody;
  const { id } = before;
  const representative = {
    id,
    status: body.status ?? before.status,
    details: sealJson(env, state.id, 'legalRepresentative', id, laidOver(context, before.details, body)),
    caseIds: body.caseIds
      ? [...new Set(body.caseIds.map((caseId) => must(caseOf(context, caseId), 'a case that was named')))]
      : before.caseIds,
    metaData: body.metaData === undefined ? before.metaData : body.metaData,
  };
  return decided(context, [fact('LegalRepresentativeRecorded', { representative })], (after) => {
    const known = must(findRepresentative(after, id), 'the legal representative is there');
    return representativeView(after, known, env);
  });
}

/** Absent keys stay, null clears. */
function laidOver({ command }: Context, before: RepresentativeDetails, body: RepresentativeBody): RepresentativeDetails {
  const { validate = true } = (command.query ?? {}) as RepresentativeWriteQuery;
  const { name, address, firmName } = body;
  const merged = address === undefined ? before.address : address && fullAddress({ ...before.address, ...address });
  if (validate && address && merged) checkAddress(merged, 'address');
  const text = (field: 'phone' | 'otherPhone' | 'email' | 'otherEmail', read: typeof phoneNumber): string | null => {
    const said = body[field];
    return said === undefined ? before[field] : said === null ? null : read(said, field);
  };
  return {
    name: name === undefined ? before.name : name && nameParts(name),
    address: merged,
    phone: text('phone', phoneNumber),
    otherPhone: text('otherPhone', phoneNumber),
    email: text('email', emailAddress),
    otherEmail: text('otherEmail', emailAddress),
    firmName: firmName === undefined ? before.firmName : firmName,
  };
}
