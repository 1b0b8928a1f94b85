import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { refuseProperty } from '../errors.js';

/** A telephone number in E.164, however it is spaced. */
export const phoneNumber = (text: string, path: string): string =>
  phoneNumberOf(text) ?? refuseProperty(path, 'a number in E.164 such as +12025550143', 'The value is no telephone number.');

/** Null for what is no number. */
export function phoneNumberOf(text: string): string | null {
  const known = parsePhoneNumberFromString(text);
  return known?.isValid() && known.ext === undefined ? known.number : null;
}

/** The longest that a mailbox may be (RFC 5321, 4.5.3.1). */
const MOST_LETTERS = 254;
/** An e-mail address: a local part of the letters that may stand unquoted, and a domain with a dot (RFC 5322, 3.4.1). */
const MAILBOX =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])$/u;

/** An e-mail address in lower case. */
export function emailAddress(text: string, path: string): string {
  const mailbox = text.trim().toLowerCase();
  if (mailbox.length <= MOST_LETTERS && mailbox.indexOf('@') <= 64 && MAILBOX.test(mailbox)) return mailbox;
  return refuseProperty(path, 'an e-mail address', 'The value is no e-mail address.');
}
