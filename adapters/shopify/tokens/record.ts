import { z } from 'zod';
import type { Credential, Credentials } from '../../../src/domain/credentials.ts';
import type { Granted } from './endpoint.ts';

/** What a shop gave us when it installed the app, as kept in the ledger (sealed). */
const Install = z.object({
  /** Of the app it was given to; no other app's secret can renew it, and no other app may use it. */
  clientId: z.string(),
  accessToken: z.string().min(1),
  /** Instants by our clock; null for tokens of before 2026 that never end. */
  expiresAt: z.string().nullable(),
  refreshToken: z.string().nullable(),
  refreshExpiresAt: z.string().nullable(),
  scopes: z.array(z.string()),
  installedAt: z.string(),
  /** When Shopify refused to renew it: nobody but the merchant can help, by installing again. */
  lostAt: z.string().nullable(),
});
export type Install = z.output<typeof Install>;

export interface KeptInstall {
  install: Install;
  version: number;
}

/** The shop's record for this app; null when there is none, or when another app of ours has it. */
export async function readInstall(
  credentials: Pick<Credentials, 'get'>,
  shop: string,
  clientId: string,
): Promise<KeptInstall | null> {
  const kept = readAny(await credentials.get(shop));
  return kept?.install.clientId === clientId ? kept : null;
}

export function readAny(credential: Credential | null): KeptInstall | null {
  const install = Install.safeParse(credential?.value).data;
  return credential && install ? { install, version: credential.version } : null;
}

export function toInstall(granted: Granted, clientId: string, now: Date, installedAt?: string): Install {
  const { accessToken, refreshToken, scopes } = granted;
  const after = (seconds: number | null) =>
    seconds === null ? null : new Date(now.getTime() + seconds * 1000).toISOString();
  return {
    clientId,
    accessToken,
    expiresAt: after(granted.expiresIn),
    refreshToken,
    refreshExpiresAt: after(granted.refreshExpiresIn),
    scopes,
    installedAt: installedAt ?? now.toISOString(),
    lostAt: null,
  };
}

/** Lapses so soon that a call under way might not live to see the end. */
export function isLapsing(expiresAt: string | null, now: Date, marginMs: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) - now.getTime() < marginMs;
}
