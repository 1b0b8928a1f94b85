/** Grants every permission. */
export const EVERY_PERMISSION = '*';

export const isPermitted = (permissions: ReadonlySet<string>, permission: string): boolean =>
  permissions.has(permission) || permissions.has(EVERY_PERMISSION);
