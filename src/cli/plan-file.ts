import { readFile } from 'node:fs/promises';
import { PayloadError } from '../domain/errors.ts';
import { readJson } from '../domain/json.ts';
import type { Order } from '../domain/order.ts';
import type { Refund } from '../domain/refund.ts';
import type { Action } from '../planner/action.ts';
import { planAsIf } from '../planner/as-if.ts';
import { plan } from '../planner/plan.ts';
import { readAsIf } from './as-if-authorized.ts';
import { chooseStore } from './plan-store.ts';
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
