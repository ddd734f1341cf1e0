import { authPath, callbackPath } from '../auth/begin.ts';
import { eventTopics } from '../events.ts';
import { requiredScopes } from '../scopes.ts';
import type { App } from '../settings.ts';

/** Topics only the app's configuration may ask for (Shopify’s page on mandatory webhooks). */
const complianceTopics = ['customers/data_request', 'customers/redact', 'shop/redact'];

/** What of an order wakes us. No filter: one with a mistyped field delivers nothing and says nothing. */
export const orderTopics = ['orders/paid', 'orders/cancelled', 'orders/edited', 'refunds/create'];

export interface TomlFor {
  /** The app's id in the config: the last part of its webhook address. */
  appId: string;
  app: App;
  /** Without trailing slash. */
  publicUrl: string;
  /** Some store reads what was sold with tags and collections. */
  productDetails: boolean;
}

/**
 * The app's configuration as Shopify's command line deploys it. Scopes are those our documents need, webhooks those we
 * handle, the API version the one we speak.
 */
export function renderToml({ appId, app, publicUrl, productDetails }: TomlFor): string {
  const { access, apiVersion, clientId } = app;
  const door = `${publicUrl}/webhooks/${appId}`;
  const topics = [...orderTopics, ...eventTopics.filter((topic) => !complianceTopics.includes(topic))];
  // Merchants of a public app are sent to the install page by us, which tells the scopes; the others by Shopify.
  const legacy = access === 'oauth' ? '\nuse_legacy_install_flow = true' : '';
  return `# Made by «facturapuente install» for ${publicUrl}; the same command makes it again.
client_id = ${text(clientId)}
name = "facturapuente"
application_url = ${text(`${publicUrl}${authPath}`)}
embedded = false

[access_scopes]
scopes = ${text(requiredScopes({ productDetails }).join(','))}${legacy}

[auth]
redirect_urls = [${text(`${publicUrl}${callbackPath}`)}]

[webhooks]
api_version = ${text(apiVersion)}

  [[webhooks.subscriptions]]
  topics = [${topics.map(text).join(', ')}]
  uri = ${text(door)}

  [[webhooks.subscriptions]]
  compliance_topics = [${complianceTopics.map(text).join(', ')}]
  uri = ${text(door)}
`;
}

/** The name under which Shopify's command line finds it: \`shopify app deploy --config <app id>\`. */
export function tomlName(appId: string): string {
  return `shopify.app.${appId}.toml`;
}

/** A basic string of TOML has the escapes of JSON. */
const text = (value: string): string => JSON.stringify(value);
