import { z } from 'zod';
import type { CommandAnswer, Commands } from '../core/commands.ts';
import { type Document, documentKinds, documentNumber } from '../core/document.ts';
import { FacturapuenteError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { StepDeps } from '../steps/deps.ts';
import { findDocument } from '../steps/find-document.ts';
import { retryDocument } from '../steps/retry.ts';
import { revokeLinks } from '../steps/revoke-links.ts';
import { buyerAlert } from '../steps/shop-event.ts';
import { takeKey } from '../steps/take-key.ts';
import { readInput } from './commands-input.ts';
import { peopleCommands } from './commands-people.ts';
import { privacyCommands } from './commands-privacy.ts';

const which = {
  document: z.string().min(1).max(80),
  store: z.string().max(63).optional(),
  kind: z.enum(documentKinds).optional(),
  /** Who asks; for the document's history. */
  by: z.string().max(200),
};
const retry = z.strictObject({ ...which, newNumber: z.boolean().optional() });
const one = z.strictObject(which);
const adopt = z.strictObject({ ...which, accessKey: z.string().max(60), vouched: z.boolean() });

const answered = z.strictObject({
  platform: z.string(),
  shop: z.string(),
  request: z.string(),
  by: z.string(),
});

/** What a command answers, and what is written down of it: to what it was done, and small facts. */
export interface Carried extends CommandAnswer {
  subject?: string;
  /** No buyers' data. */
  facts?: Record<string, unknown>;
}

/** The commands that write, whoever gives them; each is written down with who did. See core/commands.ts. */
export function openCommands(
  steps: StepDeps,
  settings: Pick<Settings, 'stores'>,
  more: Readonly<Record<string, (input: unknown) => Promise<Carried>>> = {},
): Commands {
  const find = ({ document: name, store, kind }: Partial<z.output<typeof one>> & { document: string }) =>
    findDocument(steps.ledger, settings.stores.values(), { name, store, kind });

  const known: Record<string, (input: unknown) => Promise<Carried>> = {
    ...more,
    ...peopleCommands(steps, find),
    ...privacyCommands(steps, settings),
    async retry(input) {
      const asked = readInput(retry, input);
      const document = await find(asked);
      const { newNumber = false } = asked;
      const { kind, says } = await retryDocument(steps, document, asked.by, newNumber);
      const done = kind !== 'refused' && kind !== 'nothing';
      return { done, says, subject: document.id, ...(newNumber && { facts: { newNumber } }) };
    },
    async reseal() {
      const count = await steps.ledger.reseal();
      const says = `Se protegieron con la clave nueva ${count} datos; cuando todos los procesos la usen, puede quitar oldSecrets.`;
      return { done: true, says };
    },
    async 'revoke-links'(input) {
      const document = await find(readInput(one, input));
      await revokeLinks(steps, document);
      return { done: true, says: 'Los enlaces entregados ya no sirven.', subject: document.id };
    },
    async 'buyer-answered'(input) {
      const { platform, shop, request } = readInput(answered, input);
      await steps.alerts.over(buyerAlert({ platform, shop, request }));
      return { done: true, says: 'La solicitud queda atendida.', subject: request };
    },
    async adopt(input) {
      const asked = readInput(adopt, input);
      const document = await find(asked);
      const taken = await takeKey(steps, document, asked);
      const subject = document.id;
      if (taken.kind === 'refused') return { done: false, says: taken.reason, subject };
      return { done: true, says: adopted(document, taken), subject, facts: { checked: taken.checked } };
    },
  };
  return {
    async run(name, input) {
      const carryOut = Object.hasOwn(known, name) ? known[name] : undefined;
      return carryOut && writeDown(steps, { name, input }, () => carryOut(input));
    },
  };
}

const asked = z.object({ by: z.string().max(200), document: z.string().max(80).optional() });

/** Who had what carried out, and what came of it, beside the answer; see ledger/deeds.ts. */
async function writeDown(
  { ledger, clock }: Pick<StepDeps, 'ledger' | 'clock'>,
  { name, input }: { name: string; input: unknown },
  carryOut: () => Promise<Carried>,
): Promise<CommandAnswer> {
  const { by: who = null, document = null } = asked.safeParse(input).data ?? {};
  const deed = { who, what: name, now: clock.now() };
  try {
    const { subject, facts, ...answer } = await carryOut();
    const outcome = answer.done ? 'done' : 'nothing';
    await ledger.deeds.add({ ...deed, subject: subject ?? document, outcome, ...(facts && { facts }) });
    return answer;
  } catch (error) {
    const facts = error instanceof FacturapuenteError ? { code: error.code } : {};
    await ledger.deeds.add({ ...deed, subject: document, outcome: 'failed', facts });
    throw error;
  }
}

function adopted(document: Document, { kind, checked }: { kind: string; checked: boolean }): string {
  const what = `${document.kind === 'factura' ? 'La factura' : 'La nota de crédito'} ${documentNumber(document)} del pedido ${document.orderName}`;
  const next = 'Con facturapuente start en marcha se escribe en el pedido.';
  if (kind === 'processing')
    return `${what} está en proceso: se seguirá preguntando al servicio por ella. ${next}`;
  const how = checked ? 'comprobada con su XML' : 'sin comprobar, por cuenta de quien dio la clave';
  return `${what} queda autorizada, ${how}. ${next}`;
}
