import { z } from 'zod';

/**
 * What `install` remembers of what it sent, since the service shows neither companies nor signatures when read (spec,
 * "Company (issuer)"). Fingerprints are hex SHA-256; the ledger keeps all of it sealed, under `issuersUnder`.
 */
export const IssuerRecord = z.object({
  /** Of the service's address; another service knows nothing of it. */
  service: z.string(),
  /** Of the API key it was sent with. */
  keyHash: z.string(),
  /** A person said that documents of ambiente 2 are meant. */
  production: z.boolean(),
  /** Of the fields; `begun` without `done`: an answer was lost, or we died. */
  company: z.object({ begun: z.string(), done: z.string().nullable() }).nullable(),
  signature: z
    .object({
      /** Of the .p12. */
      file: z.string(),
      owner: z.string(),
      /** ISO instant at which the certificate ends. */
      until: z.string(),
    })
    .nullable(),
  /** Of the image. */
  logo: z.string().nullable(),
});
export type IssuerRecord = z.output<typeof IssuerRecord>;

/** The same of an account's webhook. */
export const AccountRecord = z.object({
  service: z.string(),
  keyHash: z.string(),
  /** Of address and secret. */
  webhook: z.string().nullable(),
});
export type AccountRecord = z.output<typeof AccountRecord>;

export const issuersUnder = '@issuers';
export const accountsUnder = '@accounts';

/** The name of an issuer's record. */
export const issuerName = (account: string, ruc: string): string => `${account} ${ruc}`;
