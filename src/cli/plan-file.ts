import { readFile } from 'node:fs/promises';
import { checkedAsIf, chosenStore, invoiceFromOf, type PlanningStore, readOrder } from '../app/plan-order.ts';
import { builtInPlatforms } from '../app/platforms.ts';
import { openSettings } from '../app/settings.ts';
import { defaultPolicy } from '../config/resolve-stores.ts';
import { ecuadorDay } from '../domain/clock.ts';
import { CommandError } from '../domain/errors.ts';
import { readJson } from '../domain/loose.ts';
import type { Order } from '../domain/order.ts';
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
  const refunds = flags.refunds ? unwrapped(await readFileJson(flags.refunds)) : undefined;
  const order = readOrder(store, payload, refunds);
  const input = { order, store, invoiceFrom: invoiceFromOf(store), now };
  const actions = asIf === null ? plan({ ...input, documents: [] }) : planAsIf(input, asIf);
  return reported(order, actions, flags);
}

async function planBundle(
  { order, policy, madeAt }: NonNullable<ReturnType<typeof readBundle>>,
  flags: PlanFlags,
): Promise<string> {
  const store = await chooseStore({ platform: order.platform, ...flags });
  const rules = policy ?? store.policy;
  const ruled = { ...store, policy: rules };
  const input = { order, store: ruled, invoiceFrom: invoiceFromOf(ruled), now: madeAt };
  return reported(order, plan({ ...input, documents: [] }), flags);
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

function toJson(order: Order, actions: readonly Action[], explained: boolean) {
  const { id, name, total, currency } = order;
  const shown = actions.map(({ key, kind, action, code, reason, buyerReason, body, trace, ...figures }) => {
    const { charged, document, difference } = figures;
    const said = { key, kind, action, code, reason, buyerReason, body, charged, document, difference };
    return explained ? { ...said, trace } : said;
  });
  return { order: { id, name, total, currency }, actions: shown };
}

/** The default date is today. Throws CommandError. */
export function readAsIf(text: string, now: Date): AsIf {
  const [number = '', date = ecuadorDay(now), ...more] = text.split(',').map((part) => part.trim());
  return checkedAsIf({ number: more.length > 0 ? text : number, date }, now);
}

/** A fictional store without `--config`. Throws CommandError where the flags name neither. */
async function chooseStore(flags: Pick<PlanFlags, 'platform' | 'config' | 'store'>): Promise<PlanningStore> {
  if (flags.config !== undefined || flags.store !== undefined)
    return chosenStore(await openSettings(await readConfig(flags)), flags.store);
  const platform = builtInPlatforms.find((candidate) => candidate.name === flags.platform);
  if (!platform) throw new CommandError('input-invalid', { why: 'platform' });
  const connection = platform.demoConnection();
  return { platform, connection, ...demoIssuer, policy: defaultPolicy(), writesBack: true };
}

function toText(order: Order, actions: readonly Action[], explained: boolean): string {
  return `Pedido ${order.name} por ${order.total} ${order.currency}\n${actionsText(actions, explained)}\n`;
}
