import { randomUUID } from 'node:crypto';
import { openGrants } from './grants.ts';

/** The access tokens of a shop, and how an app comes by them. */
export interface Tokens {
  knows(token: string): boolean;
  /** Answers `POST /admin/oauth/access_token`. */
  grant(body: Readonly<Record<string, unknown>>): TokenAnswer;
  /** What the merchant does on the install page: a code for the app, which then counts as installed. */
  approve(scopes: readonly string[]): string;
  /** The scopes of the app's latest install. */
  scopes(): readonly string[];
  /** Ends the life of every token fetched so far; what renews them lives on. */
  revoke(): void;
  /** The merchant removes the app: everything it holds is dead. */
  uninstall(): void;
  /** The merchant's own app is installed again (Dev Dashboard). */
  install(): void;
}

export interface TokenAnswer {
  status: number;
  body: unknown;
}

export interface TokenOptions {
  /** A fixed token (legacy custom app), and/or an app that fetches its own. */
  accessToken?: string;
  clientId?: string;
  clientSecret?: string;
  /** Life of a fetched token in seconds; Shopify's is 86399 with client credentials, else 3600. */
  tokenSeconds?: number;
  /** Life of what renews it; Shopify's is 90 days. */
  refreshSeconds?: number;
  /** What the app was granted before anybody approved anything. */
  scopes?: readonly string[];
  /** An offline token of before 2026 that never ends. */
  oldToken?: string;
  /** The app is not installed before somebody approves it. */
  uninstalled?: boolean;
}

const refuse = (error: string, status = 400): TokenAnswer => ({
  status,
  body: { error, error_description: `Stand-in: ${error}` },
});

export function openTokens(options: TokenOptions, now: () => Date): Tokens {
  const scopes = options.scopes ?? ['read_orders', 'read_all_orders', 'write_orders', 'read_customers'];
  const grants = openGrants(options, now);
  let installed = options.uninstalled !== true;
  let current = scopes;
  let lives = new Map<string, number>();

  const byCredentials = (): TokenAnswer => {
    if (!installed) return refuse('app_not_installed');
    const access_token = `shpat_standin_${randomUUID()}`;
    const expires_in = options.tokenSeconds ?? 86_399;
    lives.set(access_token, now().getTime() + expires_in * 1000);
    return { status: 200, body: { access_token, scope: current.join(','), expires_in } };
  };

  return {
    knows(token) {
      if (token === '') return false;
      if (token === options.accessToken) return true;
      return (lives.get(token) ?? 0) > now().getTime() || grants.knows(token);
    },
    grant(body) {
      if (options.clientId === undefined || body.client_id !== options.clientId)
        return refuse('invalid_client');
      if (body.client_secret !== options.clientSecret) return refuse('invalid_client');
      if (body.grant_type === 'client_credentials') return byCredentials();
      return installed
        ? (grants.grant(body, current) ?? refuse('invalid_request'))
        : refuse('invalid_request');
    },
    approve(asked) {
      installed = true;
      current = [...asked];
      return grants.code();
    },
    scopes: () => current,
    revoke() {
      lives = new Map();
      grants.revoke();
    },
    uninstall() {
      installed = false;
      lives = new Map();
      grants.end();
    },
    install() {
      installed = true;
    },
  };
}
