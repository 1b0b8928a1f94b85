import { createHash } from 'node:crypto';
import { PERMISSION_ROWS } from './permission-table.js';

/** What an operation asks of its caller, and a role may give. */
export interface PermissionEntry {
  /** The same in every installation: it follows from the name. */
  readonly id: string;
  readonly object: 'permission';
  /** `resource[.sub]:action[.qualifier]` */
  readonly name: string;
  /** The resource: how the table is ordered for whoever composes a role. */
  readonly group: string;
  readonly description: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789';
const ID_LETTERS = 8;

/** All permissions, by resource and action. */
export const PERMISSIONS: readonly PermissionEntry[] = Object.entries(PERMISSION_ROWS).flatMap(([group, rows]) =>
  rows.map(([action, description]) => entryOf(`${group}:${action}`, group, description)),
);

function entryOf(name: string, group: string, description: string): PermissionEntry {
  return { id: idOf(name), object: 'permission', name, group, description };
}

function idOf(name: string): string {
  const letters = [...createHash('sha256').update(name).digest().subarray(0, ID_LETTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return `PM-${letters.slice(0, ID_LETTERS / 2).join('')}-${letters.slice(ID_LETTERS / 2).join('')}`;
}

const NAMES: ReadonlySet<string> = new Set(PERMISSIONS.map(({ name }) => name));

export const isPermissionName = (name: string): boolean => NAMES.has(name);
