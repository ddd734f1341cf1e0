import { z } from 'zod';
import type { CommandAnswer, Commands } from './core/commands.ts';
import { type Document, documentKinds, documentNumber } from './core/document.ts';
import { LedgerError } from './core/errors.ts';
import type { Settings } from './core/settings.ts';
import type { StepDeps } from './steps/deps.ts';
import { findDocument } from './steps/find-document.ts';
import { retryDocument } from './steps/retry.ts';
import { revokeLinks } from './steps/revoke-links.ts';
import { buyerAlert } from './steps/shop-event.ts';
import { takeKey } from './steps/take-key.ts';

const which = {
  document: z.string().min(1).max(80),
  store: z.string().max(63).optional(),
  kind: z.enum(documentKinds).optional(),
  /** Who asks; for the document's history. */
  by: z.string().max(200),
};
const retry = z.strictObject(which);
const adopt = z.strictObject({ ...which, accessKey: z.string().max(60), vouched: z.boolean() });

const answered = z.strictObject({
  platform: z.string(),
  shop: z.string(),
  request: z.string(),
  by: z.string(),
});

/** The commands that write about documents; see core/commands.ts. */
/** @param more commands of other rooms, by their names. */
export function openCommands(
  steps: StepDeps,
  settings: Pick<Settings, 'stores'>,
  more: Readonly<Record<string, (input: unknown) => Promise<CommandAnswer>>> = {},
): Commands {
  const find = ({ document: name, store, kind }: z.output<typeof retry>) =>
    findDocument(steps.ledger, settings.stores.values(), { name, store, kind });

  const known: Record<string, (input: unknown) => Promise<CommandAnswer>> = {
    ...more,
    async retry(input) {
      const asked = read(retry, input);
      const { kind, says } = await retryDocument(steps, await find(asked), asked.by);
      return { done: kind !== 'refused' && kind !== 'nothing', says };
    },
    async reseal() {
      const count = await steps.ledger.reseal();
      const says = `Se protegieron con la clave nueva ${count} datos; cuando todos los procesos la usen, puede quitar oldSecrets.`;
      return { done: true, says };
    },
    async 'revoke-links'(input) {
      const document = await find(read(retry, input));
      await revokeLinks(steps, document);
      return { done: true, says: 'Los enlaces entregados ya no sirven.' };
    },
    async 'buyer-answered'(input) {
      const { platform, shop, request } = read(answered, input);
      await steps.alerts.over(buyerAlert({ platform, shop, request }));
      return { done: true, says: 'La solicitud queda atendida.' };
    },
    async adopt(input) {
      const asked = read(adopt, input);
      const document = await find(asked);
      const taken = await takeKey(steps, document, asked);
      if (taken.kind === 'refused') return { done: false, says: taken.reason };
      return { done: true, says: adopted(document, taken) };
    },
  };
  return { run: async (name, input) => (Object.hasOwn(known, name) ? known[name]?.(input) : undefined) };
}

function read<T>(shape: z.ZodType<T>, input: unknown): T {
  const result = shape.safeParse(input);
  if (result.success) return result.data;
  throw new LedgerError(
    'command-unreadable',
    'El comando trae datos que no se entienden; revise lo que escribió.',
    `A command could not be read: ${z.prettifyError(result.error)}`,
  );
}

function adopted(document: Document, { kind, checked }: { kind: string; checked: boolean }): string {
  const what = `${document.kind === 'factura' ? 'La factura' : 'La nota de crédito'} ${documentNumber(document)} del pedido ${document.orderName}`;
  const next = 'Con facturapuente start en marcha se escribe en el pedido.';
  if (kind === 'processing')
    return `${what} está en proceso: se seguirá preguntando al servicio por ella. ${next}`;
  const how = checked ? 'comprobada con su XML' : 'sin comprobar, por cuenta de quien dio la clave';
  return `${what} queda autorizada, ${how}. ${next}`;
}
