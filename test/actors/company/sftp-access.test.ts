import { test } from 'tap';
import { changedSftpAccess, type SftpAccess, sftpAccessView } from '../../../actors/company/sftp-access.js';
import { Refusal } from '../../../actors/index.js';

const FIRST = { publicKey: 'ssh-rsa first', privateKey: 'private first' };
const SECOND = { publicKey: 'ssh-rsa second', privateKey: 'private second' };
const BY_KEYS: SftpAccess = { accessMethod: 'keys', publicKey: FIRST.publicKey };
const KNOWN = { sftpPrivateKey: FIRST.privateKey };

test('a record without a method logs in with its password, as one of an earlier release', (t) => {
  t.strictSame(changedSftpAccess({}, { sftpPassword: 'kept' }, {}), {
    access: { accessMethod: 'usernamePassword', publicKey: null },
    secrets: { sftpPassword: 'kept', sftpPrivateKey: null },
    faults: [],
  });
  t.strictSame(sftpAccessView({}), { sftpAccessMethod: 'usernamePassword', sftpSSHServicePublicKey: null });
  t.end();
});

test('a pair that is there stays, also where another request has made it a moment before', (t) => {
  const expected = {
    access: BY_KEYS,
    secrets: { sftpPassword: null, sftpPrivateKey: FIRST.privateKey },
    faults: [],
  };
  t.strictSame(changedSftpAccess(BY_KEYS, KNOWN, {}), expected);
  t.strictSame(changedSftpAccess(BY_KEYS, KNOWN, { sftpAccessMethod: 'keys' }), expected);
  t.strictSame(changedSftpAccess(BY_KEYS, KNOWN, { sftpAccessMethod: 'keys', serviceKeyPair: SECOND }), expected);
  t.end();
});

test('a pair that another request has removed is no reason to store a record without one', (t) => {
  t.throws(
    () => changedSftpAccess({ accessMethod: 'usernamePassword', publicKey: null }, {}, { sftpAccessMethod: 'keys' }),
    new Refusal('invalidState', 'Another request has removed the pair of keys. Send this one again.'),
  );
  t.end();
});

test('a pair that an earlier release has kept beside a password is neither shown nor used', (t) => {
  const left: SftpAccess = { accessMethod: 'usernamePassword', publicKey: FIRST.publicKey };
  t.strictSame(sftpAccessView(left), { sftpAccessMethod: 'usernamePassword', sftpSSHServicePublicKey: null });
  t.strictSame(changedSftpAccess(left, { ...KNOWN, sftpPassword: 'kept' }, {}).secrets, { sftpPassword: 'kept', sftpPrivateKey: null });
  t.strictSame(changedSftpAccess(left, KNOWN, { sftpAccessMethod: 'keys', serviceKeyPair: SECOND }), {
    access: { accessMethod: 'keys', publicKey: SECOND.publicKey },
    secrets: { sftpPassword: null, sftpPrivateKey: SECOND.privateKey },
    faults: [],
  });
  t.end();
});

test('a record whose private key is gone can be changed, and shows the key that its server knows', (t) => {
  t.strictSame(changedSftpAccess(BY_KEYS, {}, {}), {
    access: BY_KEYS,
    secrets: { sftpPassword: null, sftpPrivateKey: null },
    faults: [],
  });
  t.end();
});

test('no password is kept beside a pair', (t) => {
  t.match(changedSftpAccess({}, { sftpPassword: 'kept' }, { sftpAccessMethod: 'keys', serviceKeyPair: FIRST }), {
    secrets: { sftpPassword: null },
    faults: [],
  });
  for (const sftpPassword of [null, '********']) t.strictSame(changedSftpAccess(BY_KEYS, KNOWN, { sftpPassword }).faults, []);
  t.match(changedSftpAccess(BY_KEYS, KNOWN, { sftpPassword: 'another' }).faults, [{ path: 'sftpPassword' }]);
  t.end();
});
