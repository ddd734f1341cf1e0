import { randomBytes } from 'node:crypto';
import { refusedWebhookUrl } from '../webhooks/webhook-url.ts';
import { type Companies, openCompanies } from './companies.ts';
import type { CompanyInput } from './company-fields.ts';
import type { Verification } from './verifications.ts';
import { openWallets, type WalletOptions, type Wallets } from './wallets.ts';

/** What `createSandbox` and `addAccount` take. */
export interface AccountOptions extends WalletOptions {
  apiKey: string;
  webhook?: { url: string; secret: string };
  /** Approved provider data: opens ambiente 2 and adds `RUC Proveedor` to every document. */
  providerApproved?: boolean;
  /** The RUC that `RUC Proveedor` carries. */
  providerRuc?: string;
  /** Access to identity verification, a private beta. */
  beta?: boolean;
  /** Issuers it starts with, in the fields of `crear_empresa`. */
  companies?: CompanyInput[];
}

/** One attempt to deliver an event, as `ultimas_entregas` shows it. */
export interface DeliveryAttempt {
  entrega: string;
  evento: string;
  claveacceso: string | null;
  intento: number;
  estado_http: number | null;
  exito: boolean;
  error: string | null;
  enviado_en: string;
}

export interface Webhook {
  url: string;
  secret: string;
  activo: boolean;
}

export interface Account {
  apiKey: string;
  webhook: Webhook | null;
  providerApproved: boolean;
  providerRuc: string;
  beta: boolean;
  companies: Companies;
  wallets: Wallets;
  /** When each registry look-up (`ruc:1790016919001`) last returned data: ISO instants, for the cache. */
  lookUps: Record<string, string>;
  /** Oldest first. */
  verifications: Verification[];
  deliveries: DeliveryAttempt[];
}

/** Builds an account; throws when its webhook URL is one the service would refuse, or an amount is none. */
export function openAccount(options: AccountOptions, allowLoopbackWebhooks: boolean, now: Date): Account {
  if (options.apiKey.trim() === '')
    throw new RangeError('A sandbox account needs an apiKey that is not empty.');
  const refused = options.webhook && refusedWebhookUrl(options.webhook.url, allowLoopbackWebhooks);
  if (refused) {
    throw new RangeError(
      `La URL del webhook ${options.webhook?.url} ${refused} Para probar en esta máquina use allowLoopbackWebhooks.`,
    );
  }
  return {
    apiKey: options.apiKey,
    webhook: options.webhook ? { ...options.webhook, activo: true } : null,
    providerApproved: options.providerApproved ?? false,
    providerRuc: options.providerRuc ?? '1790016919001',
    beta: options.beta ?? false,
    companies: openCompanies(options.companies),
    wallets: openWallets(options, now),
    lookUps: {},
    verifications: [],
    deliveries: [],
  };
}

/** The sentence every answer carries until the provider data is approved. */
export const avisoProveedor =
  'Los datos de proveedor no están aprobados: registre en el panel un RUC con establecimiento exclusivo de ' +
  'actividad J62021002 o J62021003 y el certificado del RUC. Hasta entonces solo puede emitir en ambiente 1.';

/** A webhook secret of 40 characters. */
export const newSecret = () => randomBytes(20).toString('hex');

/** Shows enough of a secret to recognise it and too little to use it. */
export const mask = (secret: string) => `${'*'.repeat(8)}${secret.length > 8 ? secret.slice(-4) : ''}`;
