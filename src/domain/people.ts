/** What a person of the panel may do; each role may also do what those before it may. */
export const roles = ['read', 'operate', 'configure'] as const;
export type Role = (typeof roles)[number];

/** Somebody the config lets into the panel. */
export interface Person {
  user: string;
  /** As `facturapuente hash-password` prints it (src/web/password.ts). */
  passwordHash: string;
  role: Role;
  /** The ids of the stores the person is limited to; all stores without it. */
  stores?: readonly string[] | undefined;
}

/** Whether somebody may configure the whole installation, not some stores of it. */
export const mayConfigureAll = ({ role, stores }: Person): boolean =>
  role === 'configure' && stores === undefined;

/** Whether `role` may do what needs `needed`. */
export const mayDo = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
