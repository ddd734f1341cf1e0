import { z } from 'zod';

/**
 * What `install` sent, remembered because the service does not show companies or signatures (spec, "Company (issuer)").
 * Fingerprints are hex SHA-256; the ledger stores the record encrypted under `issuersUnder`.
 */
export const IssuerRecord = z.object({
  /** Of the service's address; another service has its own record. */
  service: z.string(),
  /** Of the API key it was sent with. */
  keyHash: z.string(),
  /** A person confirmed documents of ambiente 2. */
  production: z.boolean(),
  /** Of the fields; `begun` without `done`: an answer was lost, or the process died. */
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

/** The same for an account's webhook. */
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
