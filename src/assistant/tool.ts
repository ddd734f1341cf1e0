import type { z } from 'zod';
import type { Clock } from '../domain/clock.ts';
import type { CommandAnswer, Commands } from '../domain/commands.ts';
import type { Order } from '../domain/order.ts';
import { isWithin, type Scope } from '../domain/scope.ts';
import type { Settings, Store } from '../domain/settings.ts';
import type { StepDeps } from '../jobs/deps.ts';
import { type Known, plannedDocuments } from '../jobs/planned-documents.ts';
import type { LedgerView } from '../ledger/view.ts';
import type { Closing } from '../reports/close/closing.ts';
import { openPlans, type Plans } from './plans.ts';

/** What answers assistants is made of. */
export interface AssistantParts {
  steps: StepDeps;
  settings: Pick<Settings, 'stores'>;
  closing: Closing;
  commands: Commands;
  /** Whether what concerns production (ambiente 2) may be changed. */
  allowProduction: boolean;
}

/** What the tools of an assistant work with: all of it within the scope of the token that asks. */
export interface ToolDeps {
  stores: ReadonlyMap<string, Store>;
  ledger: LedgerView;
  clock: Clock;
  /** Its own plans: no other token's. */
  plans: Plans;
  /** A sale as its shop has it now, with its documents; null where the shop has none, or cannot be asked. */
  readSale(store: Store, orderId: string): Promise<ReadSale | null>;
  closeDay(asked: { day: string; store?: string | undefined }): ReturnType<Closing['close']>;
  /** Carries a command out in the name of the token. */
  command(name: string, asked: Record<string, unknown>): Promise<CommandAnswer | undefined>;
  allowProduction: boolean;
}

export interface ReadSale {
  order: Order;
  documents: Known[];
  /** Sales paid before this instant are history. */
  invoiceFrom: Date;
}

/** @param by the name of the token, for plans and the audit log. */
export function toolDeps(
  { steps, settings, closing, commands, allowProduction }: AssistantParts,
  by: string,
  scope: Scope | null,
): ToolDeps {
  return {
    stores: (scope ?? settings).stores,
    ledger: steps.ledger.view(scope),
    clock: steps.clock,
    plans: openPlans(steps, by),
    async readSale(store, orderId) {
      const key = { platform: store.platform.name, shop: store.shop, orderId };
      const order = isWithin(scope, key) ? await steps.shop(store)?.fetchOrder(orderId) : null;
      if (!order) return null;
      const documents = await plannedDocuments(steps.ledger, key);
      return { order, documents, invoiceFrom: steps.invoiceFrom(store) };
    },
    closeDay: (asked) => closing.close({ ...asked, scope }),
    command: (name, asked) => commands.run(name, { ...asked, by }, scope),
    allowProduction,
  };
}

/** One tool of the server, as every transport offers it. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** Spanish, for assistant and person. */
  description: string;
  input: Input;
  /** Reads only; else it needs the id of a plan shown before. */
  readOnly: boolean;
  /** JSON without buyers' data. Throws FacturapuenteError. */
  run(deps: ToolDeps, input: z.output<Input>): Promise<Record<string, unknown>>;
}

/** Declares a tool; the identity function keeps its input and its hand together. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool => tool as unknown as Tool;
