import { test } from 'tap';
import { faultOfPublicKey } from '../../gateway/pgp/pgp.js';
import { receiverPair } from '../gateway/pgp/keys.js';
import { tempFolder } from '../temp-folder.js';
import { Service } from './service.js';

test('the program in one file makes and checks OpenPGP keys in threads of its own', async (t) => {
  const service = await Service.start(tempFolder(t));
  t.teardown(() => service.stop());
  const { publicKey } = await receiverPair();
  const draft = { paymentTypes: ['ach'], processorType: 'achDirectUS', processorName: 'Bank', status: 'draft' };
  const encrypted = { ...draft, encryptionMethodOutgoing: 'GPG', signOutgoing: true };
  const made = await service.ask('POST', '/payment-processors', { ...encrypted, thirdPartyPublicKey: publicKey });
  t.equal(made.status, 201, JSON.stringify(made.json));
  const { gpgServicePublicKey } = made.json['data'] as { readonly gpgServicePublicKey: string };
  t.equal(await faultOfPublicKey(gpgServicePublicKey), null);
  t.match(await service.ask('POST', '/payment-processors', { ...encrypted, thirdPartyPublicKey: publicKey.slice(0, 200) }), {
    status: 400,
    json: { errors: [{ path: 'thirdPartyPublicKey' }] },
  });
});
