import { z } from 'zod';

/** The service does not show companies or signatures (spec, "Company (issuer)"). Fingerprints are hex SHA-256. */
export const IssuerRecord = z.object({
  service: z.string(),
  keyHash: z.string(),
  /** A person confirmed documents of ambiente 2. */
  production: z.boolean(),
  /** `begun` without `done`: an answer was lost, or the process died. */
  company: z.object({ begun: z.string(), done: z.string().nullable() }).nullable(),
  signature: z
    .object({
      file: z.string(),
      owner: z.string(),
      until: z.string(),
    })
    .nullable(),
  logo: z.string().nullable(),
});
export type IssuerRecord = z.output<typeof IssuerRecord>;

export const AccountRecord = z.object({
  service: z.string(),
  keyHash: z.string(),
  webhook: z.string().nullable(),
});
export type AccountRecord = z.output<typeof AccountRecord>;

export const issuersUnder = '@issuers';
export const accountsUnder = '@accounts';

export const issuerName = (account: string, ruc: string): string => `${account} ${ruc}`;
