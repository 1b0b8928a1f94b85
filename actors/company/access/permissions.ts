import { createHash } from 'node:crypto';
import { PERMISSION_ROWS } from './permission-table.js';

/** A permission, which an operation requires of its caller and a role grants. */
export interface PermissionEntry {
  /** Derived from the name, and so the same in every installation. */
  readonly id: string;
  readonly object: 'permission';
  /** `resource[.sub]:action[.qualifier]` */
  readonly name: string;
  /** The resource, by which the table is grouped for users who edit a role. */
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
