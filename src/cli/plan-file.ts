import { readFile } from 'node:fs/promises';
import pc from 'picocolors';
import { loadConfig } from '../config/load.ts';
import { defaultPolicy } from '../config/resolve-stores.ts';
import { PayloadError } from '../core/errors.ts';
import { readJson } from '../core/json.ts';
import type { Order } from '../core/order.ts';
import type { Refund } from '../core/refund.ts';
import type { Store } from '../core/settings.ts';
import type { Action } from '../planning/action.ts';
import { plan } from '../planning/plan.ts';
import { builtInPlatforms } from '../platforms.ts';
import { openSettings } from '../settings.ts';
import { demoIssuer } from './demo-issuer.ts';
import { explain } from './explain.ts';

export interface PlanFlags {
  platform?: string;
  refunds?: string;
  config?: string;
  store?: string;
  json: boolean;
  /** The whole trace: for a person, or inside the JSON. */
  explain: boolean;
}

type PlanStore = Pick<Store, 'platform' | 'connection' | 'issuer' | 'series' | 'policy'>;

/** Plans one order file and answers what to print. */
export async function planFile(file: string, flags: PlanFlags): Promise<string> {
  const store = await chooseStore(flags);
  const payload = unwrapped(await readFileJson(file));
  const read = store.platform.readOrder(payload, store.connection);
  const refunds = flags.refunds
    ? store.platform.readRefunds(unwrapped(await readFileJson(flags.refunds)), payload)
    : [];
  const order = withRefunds(read, refunds);
  const invoiceFrom = store.policy.invoiceFrom ?? new Date(0);
  const actions = plan({ order, documents: [], store, invoiceFrom, now: new Date() });
  if (flags.json) return `${JSON.stringify(toJson(order, actions, flags.explain), null, 2)}\n`;
  return toText(order, actions, flags.explain);
}

/** The configured store, or a demo issuer under the platform's defaults. */
async function chooseStore(flags: PlanFlags): Promise<PlanStore> {
  if (flags.config !== undefined || flags.store !== undefined) {
    const config = await loadConfig({
      ...(flags.config ? { path: flags.config } : {}),
      cwd: process.cwd(),
      env: process.env,
    });
    const { stores } = await openSettings(config);
    const store =
      flags.store === undefined && stores.size === 1
        ? [...stores.values()][0]
        : stores.get(flags.store ?? '');
    if (!store)
      throw unreadable(
        `Indique con --store una tienda de la configuración: ${[...stores.keys()].join(', ')}.`,
      );
    return store;
  }
  const platform = builtInPlatforms.find((candidate) => candidate.name === flags.platform);
  if (!platform) throw unreadable('Indique la plataforma con --platform shopify o --platform woocommerce.');
  return { platform, connection: platform.demoConnection(), ...demoIssuer, policy: defaultPolicy() };
}

async function readFileJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unreadable(
      `No se puede leer ${file}: ${error.code === 'ENOENT' ? 'el archivo no existe' : error.message}.`,
    );
  });
  try {
    return readJson(text);
  } catch {
    throw unreadable(`${file} no contiene JSON válido.`);
  }
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

const verbs: Record<Action['action'], string> = {
  emit: pc.green('emitir'),
  wait: pc.yellow('esperar'),
  hold: pc.red('retener'),
  manual: pc.red('a mano'),
  nothing: pc.dim('nada'),
};

function toText(order: Order, actions: readonly Action[], explained: boolean): string {
  const rows = actions.map((action) => {
    const money =
      action.document === null
        ? ''
        : `\n    cobrado ${action.charged}, documento ${action.document}, diferencia ${action.difference}`;
    const why = explained ? explain(action) : '';
    return `  ${action.kind}: ${verbs[action.action]}. ${action.reason}${money}${why && `\n${why}`}`;
  });
  return `Pedido ${order.name} por ${order.total} ${order.currency}\n${rows.join('\n')}\n`;
}

function unreadable(sentence: string): PayloadError {
  return new PayloadError('plan-input', sentence, sentence);
}
