import { randomUUID } from 'node:crypto';

/** The access tokens of a shop: a fixed one (legacy custom app), and those an app's client credentials fetch. */
export interface Tokens {
  knows(token: string): boolean;
  /** Answers `POST /admin/oauth/access_token`. */
  grant(body: Readonly<Record<string, unknown>>): { status: number; body: unknown };
  /** Ends the life of every token fetched so far. */
  revoke(): void;
}

interface TokenOptions {
  accessToken?: string;
  clientId?: string;
  clientSecret?: string;
  tokenSeconds?: number;
}

export function openTokens(options: TokenOptions): Tokens {
  const fetched = new Set<string>();
  return {
    knows: (token) => token !== '' && (token === options.accessToken || fetched.has(token)),
    grant(body) {
      const known = options.clientId !== undefined && body.client_id === options.clientId;
      if (!known || body.client_secret !== options.clientSecret || body.grant_type !== 'client_credentials')
        return {
          status: 400,
          body: { error: 'invalid_client', error_description: 'Client authentication failed' },
        };
      const token = `shpat_standin_${randomUUID()}`;
      fetched.add(token);
      const expires_in = options.tokenSeconds ?? 86_399;
      return {
        status: 200,
        body: { access_token: token, scope: 'read_orders,write_orders,read_customers', expires_in },
      };
    },
    revoke: () => fetched.clear(),
  };
}
