import type { z } from 'zod';
import type { Clock } from '../domain/clock.ts';
import type { Order } from '../domain/order.ts';
import { isWithin, type Scope, type Settings, type Store } from '../domain/settings.ts';
import type { CommandAnswer, Commands } from '../domain/storing.ts';
import type { JobDeps } from '../jobs/deps.ts';
import { type Known, plannedDocuments } from '../jobs/prepare.ts';
import type { LedgerView } from '../ledger/ledger.ts';
import type { Closing } from '../reports/close/closing.ts';
import { openPlans, type Plans } from './plans.ts';

export interface AssistantParts {
  handlers: JobDeps;
  settings: Pick<Settings, 'stores'>;
  closing: Closing;
  commands: Commands;
  /** Whether documents of production (ambiente 2) may be changed. */
  allowProduction: boolean;
}

/** The dependencies of the tools, within the scope of the caller's token. */
export interface ToolDeps {
  stores: ReadonlyMap<string, Store>;
  ledger: LedgerView;
  clock: Clock;
  plans: Plans;
  /** Reads a sale from its shop, with its documents; null where the shop has none, or no access is configured. */
  readSale(store: Store, orderId: string): Promise<ReadSale | null>;
  closeDay(asked: { day: string; store?: string | undefined }): ReturnType<Closing['close']>;
  /** Runs a command in the name of the token. */
  command(name: string, asked: Record<string, unknown>): Promise<CommandAnswer | undefined>;
  allowProduction: boolean;
}

interface ReadSale {
  order: Order;
  documents: Known[];
  /** Sales paid before this instant are not invoiced. */
  invoiceFrom: Date;
}

/** @param by the name of the caller's token, for plans and the audit log. */
export function toolDeps(
  { handlers, settings, closing, commands, allowProduction }: AssistantParts,
  by: string,
  scope: Scope | null,
): ToolDeps {
  return {
    stores: (scope ?? settings).stores,
    ledger: handlers.ledger.view(scope),
    clock: handlers.clock,
    plans: openPlans(handlers, by),
    async readSale(store, orderId) {
      const key = { platform: store.platform.name, shop: store.shop, orderId };
      const order = isWithin(scope, key) ? await handlers.shop(store)?.fetchOrder(orderId) : null;
      if (!order) return null;
      const documents = await plannedDocuments(handlers.ledger, key);
      return { order, documents, invoiceFrom: handlers.invoiceFrom(store) };
    },
    closeDay: (asked) => closing.close({ ...asked, scope }),
    command: (name, asked) => commands.run(name, { ...asked, by }, scope),
    allowProduction,
  };
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** Spanish. */
  description: string;
  input: Input;
  /** Whether it only reads; other tools take the id of a plan. */
  readOnly: boolean;
  /** JSON without buyers' data. Throws FacturapuenteError. */
  run(deps: ToolDeps, input: z.output<Input>): Promise<Record<string, unknown>>;
}

/** Declares a tool; ties the type of `run` to `input`. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool => tool as unknown as Tool;
