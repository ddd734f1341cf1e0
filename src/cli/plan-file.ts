import { readFile } from 'node:fs/promises';
import { builtInPlatforms } from '../app/platforms.ts';
import { openSettings } from '../app/settings.ts';
import { defaultPolicy } from '../config/resolve-stores.ts';
import { ecuadorDay, isDay } from '../domain/clock.ts';
import { CommandError } from '../domain/errors.ts';
import { readJson } from '../domain/loose.ts';
import type { Order, Refund } from '../domain/order.ts';
import { type Store, storeOf } from '../domain/settings.ts';
import { jsonText } from '../operations/operation.ts';
import { actionsText } from '../operations/run/order-timeline.ts';
import { readBundle } from '../operations/run/support-bundle.ts';
import type { Action } from '../planner/action.ts';
import { type AsIf, plan, planAsIf } from '../planner/plan.ts';
import { type ConfigFlag, demoIssuer, readConfig } from './given.ts';

export interface PlanFlags extends ConfigFlag {
  platform?: string;
  refunds?: string;
  /** "001-001-000000123[,YYYY-MM-DD]": the authorised factura the order is assumed to have. */
  asIfAuthorized?: string;
  store?: string;
  json: boolean;
  explain: boolean;
}

/** Throws PayloadError. */
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
  return reported(order, actions, flags);
}

async function planBundle(
  { order, policy, madeAt }: NonNullable<ReturnType<typeof readBundle>>,
  flags: PlanFlags,
): Promise<string> {
  const store = await chooseStore({ platform: order.platform, ...flags });
  const rules = policy ?? store.policy;
  const input = { order, store: { ...store, policy: rules }, now: madeAt };
  const actions = plan({ ...input, invoiceFrom: rules.invoiceFrom ?? new Date(0), documents: [] });
  return reported(order, actions, flags);
}

function reported(order: Order, actions: readonly Action[], flags: PlanFlags): string {
  if (flags.json) return jsonText(toJson(order, actions, flags.explain));
  return toText(order, actions, flags.explain);
}

async function readFileJson(file: string): Promise<unknown> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError('input-invalid', {
      why: 'file',
      file,
      reason: error.code === 'ENOENT' ? 'el archivo no existe' : error.message,
    });
  });
  try {
    return readJson(new TextDecoder(encodingOf(bytes)).decode(bytes));
  } catch {
    throw new CommandError('input-invalid', { why: 'file', file, reason: 'no contiene JSON válido' });
  }
}

/** PowerShell's `>` writes UTF-16, with a byte order mark. */
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

/** A refund of the file has more fields than the one of the order. */
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

/** The default date is today. Throws CommandError for a number or date that no factura has, or a date in the future. */
export function readAsIf(text: string, now: Date): AsIf {
  const today = ecuadorDay(now);
  const [number = '', date = today, ...more] = text.split(',').map((part) => part.trim());
  const isNumber = /^\d{3}-\d{3}-\d{9}$/.test(number) && number.split('-').every((part) => Number(part) > 0);
  if (!isNumber || more.length > 0) throw new CommandError('input-invalid', { why: 'number', number: text });
  if (!isDay(date)) throw new CommandError('input-invalid', { why: 'date', date, today });
  if (date > today) throw new CommandError('input-invalid', { why: 'future', date, today });
  return { number, date };
}

type PlanStore = Pick<Store, 'platform' | 'connection' | 'issuer' | 'series' | 'policy'>;

/** A fictional store without `--config`. Throws CommandError where the flags name neither. */
async function chooseStore(flags: Pick<PlanFlags, 'platform' | 'config' | 'store'>): Promise<PlanStore> {
  if (flags.config !== undefined || flags.store !== undefined) return configuredStore(flags);
  const platform = builtInPlatforms.find((candidate) => candidate.name === flags.platform);
  if (!platform) throw new CommandError('input-invalid', { why: 'platform' });
  return { platform, connection: platform.demoConnection(), ...demoIssuer, policy: defaultPolicy() };
}

async function configuredStore({ store: id, ...flags }: ConfigFlag & { store?: string }): Promise<PlanStore> {
  const settings = await openSettings(await readConfig(flags));
  if (id !== undefined) return storeOf(settings, id);
  const [store, ...others] = settings.stores.values();
  if (store && others.length === 0) return store;
  throw new CommandError('ambiguous', {
    what: 'Este comando',
    found: [...settings.stores.keys()].join(', '),
  });
}

function toText(order: Order, actions: readonly Action[], explained: boolean): string {
  return `Pedido ${order.name} por ${order.total} ${order.currency}\n${actionsText(actions, explained)}\n`;
}
