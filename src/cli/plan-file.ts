import { readFile } from 'node:fs/promises';
import { builtInPlatforms } from '../app/platforms.ts';
import { openSettings } from '../app/settings.ts';
import { loadConfig } from '../config/load.ts';
import { defaultPolicy } from '../config/resolve-stores.ts';
import { ecuadorDay } from '../domain/calendar.ts';
import { PayloadError } from '../domain/errors.ts';
import { readJson } from '../domain/json.ts';
import type { Order } from '../domain/order.ts';
import type { Refund } from '../domain/refund.ts';
import type { Store } from '../domain/settings.ts';
import type { Action } from '../planner/action.ts';
import { type AsIf, planAsIf } from '../planner/as-if.ts';
import { plan } from '../planner/plan.ts';
import { demoIssuer } from './demo-issuer.ts';
import { toText } from './plan-text.ts';
import { readBundle } from './support/bundle.ts';

export interface PlanFlags {
  platform?: string;
  refunds?: string;
  /** "001-001-000000123[,YYYY-MM-DD]": the factura the order is taken to have. */
  asIfAuthorized?: string;
  config?: string;
  store?: string;
  json: boolean;
  /** The whole trace: for a person, or inside the JSON. */
  explain: boolean;
}

/** Plans one order file and answers what to print. */
export async function planFile(file: string, flags: PlanFlags): Promise<string> {
  const now = new Date();
  const asIf = flags.asIfAuthorized === undefined ? null : readAsIf(flags.asIfAuthorized, now);
  const written = await readFileJson(file);
  const bundle = readBundle(written);
  if (bundle) return planBundle(bundle, flags);
  const store = await chooseStore(flags);
  const payload = unwrapped(written);
  const read = store.platform.readOrder(payload, store.connection);
  const refunds = flags.refunds
    ? store.platform.readRefunds(unwrapped(await readFileJson(flags.refunds)), payload)
    : [];
  const order = withRefunds(read, refunds);
  const input = { order, store, invoiceFrom: store.policy.invoiceFrom ?? new Date(0), now };
  const actions = asIf === null ? plan({ ...input, documents: [] }) : planAsIf(input, asIf);
  return told(order, actions, flags);
}

/** An order of a support bundle, by the rules its store had then. */
async function planBundle(
  { order, policy, madeAt }: NonNullable<ReturnType<typeof readBundle>>,
  flags: PlanFlags,
): Promise<string> {
  const store = await chooseStore({ platform: order.platform, ...flags });
  const rules = policy ?? store.policy;
  const input = { order, store: { ...store, policy: rules }, now: madeAt };
  const actions = plan({ ...input, invoiceFrom: rules.invoiceFrom ?? new Date(0), documents: [] });
  return told(order, actions, flags);
}

function told(order: Order, actions: readonly Action[], flags: PlanFlags): string {
  if (flags.json) return `${JSON.stringify(toJson(order, actions, flags.explain), null, 2)}\n`;
  return toText(order, actions, flags.explain);
}

async function readFileJson(file: string): Promise<unknown> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(
      `No se puede leer ${file}: ${error.code === 'ENOENT' ? 'el archivo no existe' : error.message}.`,
    );
  });
  try {
    return readJson(new TextDecoder(encodingOf(bytes)).decode(bytes));
  } catch {
    throw unreadable(`${file} no contiene JSON válido.`);
  }
}

/** PowerShell's `>` writes UTF-16, with a mark that says so. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Collections of samples keep the platform's own JSON under `payload`, with notes beside it. */
function unwrapped(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || 'id' in content || !('payload' in content))
    return content;
  return content.payload;
}

/** The file knows more of a refund than the order does. */
function withRefunds(order: Order, refunds: readonly Refund[]): Order {
  const known = new Map(order.refunds.map((refund) => [refund.id, refund]));
  for (const refund of refunds) known.set(refund.id, refund);
  return { ...order, refunds: [...known.values()] };
}

function toJson(order: Order, actions: readonly Action[], explained: boolean) {
  const { id, name, total, currency } = order;
  const shown = actions.map(({ key, kind, action, code, reason, buyerReason, body, trace, ...figures }) => {
    const { charged, document, difference } = figures;
    const said = { key, kind, action, code, reason, buyerReason, body, charged, document, difference };
    return explained ? { ...said, trace } : said;
  });
  return { order: { id, name, total, currency }, actions: shown };
}

function unreadable(sentence: string): PayloadError {
  return new PayloadError('plan-input', sentence, sentence);
}

/**
 * Reads `001-001-000000123[,YYYY-MM-DD]`; without a date the factura is of today.
 * @throws PayloadError with a sentence when number or date cannot be a factura's, or the date lies ahead.
 */
export function readAsIf(text: string, now: Date): AsIf {
  const today = ecuadorDay(now);
  const [number = '', date = today, ...more] = text.split(',').map((part) => part.trim());
  const isNumber = /^\d{3}-\d{3}-\d{9}$/.test(number) && number.split('-').every((part) => Number(part) > 0);
  if (!isNumber || more.length > 0)
    throw wrong(
      `«${text}» no es un número de factura. Escríbalo como 001-001-000000123, o con su fecha: 001-001-000000123,2026-11-20.`,
    );
  if (!isDay(date))
    throw wrong(`«${date}» no es una fecha. Escríbala como AAAA-MM-DD, por ejemplo ${today}.`);
  if (date > today)
    throw wrong(
      `La factura ${number} no puede ser del ${date}: en Ecuador hoy es ${today}. Corrija la fecha.`,
    );
  return { number, date };
}

function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const wrong = (sentence: string): PayloadError => new PayloadError('as-if-authorized', sentence, sentence);

type PlanStore = Pick<Store, 'platform' | 'connection' | 'issuer' | 'series' | 'policy'>;

/**
 * The configured store, or a demo issuer under the platform's defaults.
 * @throws PayloadError when the flags name neither.
 */
async function chooseStore(flags: {
  platform?: string;
  config?: string;
  store?: string;
}): Promise<PlanStore> {
  if (flags.config !== undefined || flags.store !== undefined) return configured(flags.config, flags.store);
  const platform = builtInPlatforms.find((candidate) => candidate.name === flags.platform);
  if (!platform) throw unclear('Indique la plataforma con --platform shopify o --platform woocommerce.');
  return { platform, connection: platform.demoConnection(), ...demoIssuer, policy: defaultPolicy() };
}

async function configured(path: string | undefined, id: string | undefined): Promise<PlanStore> {
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const { stores } = await openSettings(config);
  const store = id === undefined && stores.size === 1 ? [...stores.values()][0] : stores.get(id ?? '');
  if (store) return store;
  throw unclear(`Indique con --store una tienda de la configuración: ${[...stores.keys()].join(', ')}.`);
}

const unclear = (sentence: string): PayloadError => new PayloadError('plan-input', sentence, sentence);
