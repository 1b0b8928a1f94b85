import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { refuseProperty } from '../errors.js';

/** A telephone number in E.164, however it is spaced. */
export function phoneNumber(text: string, path: string): string {
  const known = parsePhoneNumberFromString(text);
  if (known?.isValid() && known.ext === undefined) return known.number;
  return refuseProperty(path, 'a number in E.164 such as +12025550143', 'The value is no telephone number.');
}

/** The longest that a mailbox may be (RFC 5321, 4.5.3.1). */
const MOST_LETTERS = 254;
/** An e-mail address: a local part of the letters that may stand unquoted, and a domain with a dot (RFC 5322, 3.4.1). */
const MAILBOX = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])$/u;

/** An e-mail address in lower case. */
export function emailAddress(text: string, path: string): string {
  const mailbox = text.trim().toLowerCase();
  if (mailbox.length <= MOST_LETTERS && mailbox.indexOf('@') <= 64 && MAILBOX.test(mailbox)) return mailbox;
  return refuseProperty(path, 'an e-mail address', 'The value is no e-mail address.');
}
