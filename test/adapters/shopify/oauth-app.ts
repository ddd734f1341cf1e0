import { App } from '../../../adapters/shopify/settings.ts';

export const clientSecret = 'client-secret-never-shown';
/** An app that many merchants install. */
export const oauthApp = App.parse({ clientId: 'client', clientSecrets: [clientSecret], access: 'oauth' });
