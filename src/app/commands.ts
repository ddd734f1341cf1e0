import { z } from 'zod';
import { isClearable } from '../domain/alerts.ts';
import type { CommandAnswer, Commands } from '../domain/commands.ts';
import { type Document, documentKinds, documentNumber } from '../domain/document.ts';
import { ConfigError, FacturapuenteError } from '../domain/errors.ts';
import { owner, type Scope } from '../domain/scope.ts';
import type { Settings } from '../domain/settings.ts';
import { storeOfShop } from '../domain/store-index.ts';
import { probeNow } from '../jobs/account-pause.ts';
import { askSync } from '../jobs/ask.ts';
import { answerFor } from '../jobs/buyer/answer-for.ts';
import { mailAgain } from '../jobs/buyer/mail-again.ts';
import type { StepDeps } from '../jobs/deps.ts';
import { findDocument } from '../jobs/find-document.ts';
import { forgetIn } from '../jobs/forget-buyer.ts';
import { reprocessByHand } from '../jobs/reprocess-by-hand.ts';
import { retryDocument } from '../jobs/retry.ts';
import { revokeLinks } from '../jobs/revoke-links.ts';
import { buyerAlert } from '../jobs/shop-event.ts';
import { takeKey } from '../jobs/take-key.ts';
import { type Carried, type CommandTable, type CommandView, readInput, subjectOf } from './commands-input.ts';

const which = {
  document: z.string().min(1).max(80),
  store: z.string().max(63).optional(),
  kind: z.enum(documentKinds).optional(),
  /** Who asks; for the document's history. */
  by: z.string().max(200),
};
const retry = z.strictObject({
  ...which,
  newNumber: z.boolean().optional(),
  accept: z.boolean().optional(),
  seen: z.int().optional(),
});
const one = z.strictObject(which);
const adopt = z.strictObject({ ...which, accessKey: z.string().max(60), vouched: z.boolean() });

const named = z.strictObject({ person: z.string().min(1).max(80), by: z.string().max(200) });

const ordered = z.strictObject({
  platform: z.string().max(40),
  shop: z.string().max(255),
  orderId: z.string().max(80),
  by: z.string().max(200),
});

const answered = z.strictObject({
  platform: z.string().max(63),
  shop: z.string().max(300),
  request: z.string().max(300),
  by: z.string().max(200),
});

/** The commands that write, whoever gives them; each is written down with who did. See domain/commands.ts. */
export function openCommands(
  steps: StepDeps,
  settings: Pick<Settings, 'stores'>,
  more: { ofStores?: CommandTable; ofInstallation?: CommandTable } = {},
): Commands {
  const ofStores: CommandTable = {
    ...more.ofStores,
    ...peopleCommands(steps),
    ...privacyCommands(steps),
    async retry(input, { find }) {
      const asked = readInput(retry, input);
      const document = await find(asked);
      const { newNumber = false, accept = false, seen } = asked;
      const how = { newNumber, accept, ...(seen !== undefined && { seen }) };
      const { kind, says } = await retryDocument(steps, document, asked.by, how);
      const done = kind !== 'refused' && kind !== 'nothing';
      return {
        done,
        says,
        ...subjectOf(document),
        ...(newNumber && { facts: { newNumber } }),
        ...(accept && { facts: { accept, code: document.code } }),
      };
    },
    async 'revoke-links'(input, { find }) {
      const document = await find(readInput(one, input));
      await revokeLinks(steps, document);
      return { done: true, says: 'Los enlaces entregados ya no sirven.', ...subjectOf(document) };
    },
    /** Has an order read again from its shop, and emitted what is due. */
    async 'sync-order'(input, { stores }) {
      const { by: _by, ...order } = readInput(ordered, input);
      const store = storeOfShop(stores, order.platform, order.shop);
      if (!store) return { done: false, says: 'La tienda de ese pedido no está en la configuración.' };
      await askSync(steps.ledger, { ...order, storeId: store.id }, steps.clock.now());
      const says = 'Se emite enseguida; vea el resultado con explain_order.';
      return { done: true, says, subject: order.orderId, about: owner.shop(order) };
    },
    async adopt(input, { find }) {
      const asked = readInput(adopt, input);
      const document = await find(asked);
      const taken = await takeKey(steps, document, asked);
      const subject = subjectOf(document);
      if (taken.kind === 'refused') return { done: false, says: taken.reason, ...subject };
      return { done: true, says: adopted(document, taken), ...subject, facts: { checked: taken.checked } };
    },
  };
  const ofInstallation: CommandTable = {
    ...more.ofInstallation,
    async reseal() {
      const count = await steps.ledger.reseal();
      const says = `Se protegieron con la clave nueva ${count} datos; cuando todos los procesos la usen, puede quitar oldSecrets.`;
      return { done: true, says };
    },
    async 'reset-second-factor'(input) {
      const { person } = readInput(named, input);
      const had = await steps.ledger.secondFactors.remove(person);
      await steps.ledger.sessions.endOf(person);
      const says = had
        ? `La verificación en dos pasos de ${person} queda sin efecto y sus sesiones, cerradas. Pídale que entre ahora mismo al panel: con su contraseña activa una nueva, y hasta entonces lo puede hacer quien la conozca.`
        : `${person} no tiene verificación en dos pasos.`;
      return { done: had, says, subject: person };
    },
    async 'buyer-answered'(input) {
      const { platform, shop, request } = readInput(answered, input);
      await steps.alerts.over(buyerAlert({ platform, shop, request }));
      const about = owner.shop({ platform, shop });
      return { done: true, says: 'La solicitud queda atendida.', subject: request, about };
    },
  };
  const viewOf = (scope: Scope | null): CommandView => {
    const { stores } = scope ?? settings;
    const ledger = steps.ledger.view(scope);
    const find: CommandView['find'] = ({ document: name, store, kind }) =>
      findDocument(ledger, stores.values(), { name, store, kind });
    return { scope, stores, ledger, find };
  };
  return {
    async run(name, input, scope = null) {
      const known = scope === null ? { ...ofInstallation, ...ofStores } : ofStores;
      const carryOut = Object.hasOwn(known, name) ? known[name] : undefined;
      return carryOut && writeDown(steps, { name, input }, () => carryOut(input, viewOf(scope)));
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
    const { subject, about, facts, ...answer } = await carryOut();
    const outcome = answer.done ? 'done' : 'nothing';
    await ledger.deeds.add({
      ...deed,
      subject: subject ?? document,
      about,
      outcome,
      ...(facts && { facts }),
    });
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

const forget = z.strictObject({
  store: z.string().max(63),
  email: z.string().max(320).nullable(),
  phone: z.string().max(40).nullable(),
  orders: z.array(z.string().max(40)).max(1_000),
  by: z.string().max(200),
});

/** What buyers may ask of a merchant beside his shop. */
function privacyCommands(steps: StepDeps): CommandTable {
  return {
    async 'forget-buyer'(input, { stores }) {
      const { store: id, email, phone, orders } = readInput(forget, input);
      const store = stores.get(id);
      if (!store) throw unknownStore(id);
      const mark = { email, phone, orders };
      const { report, open } = await forgetIn(steps, {
        platform: store.platform.name,
        shop: store.shop,
        mark,
      });
      const facts = { orders: report.orders.length, stays: report.stays.length, open };
      const done = report.orders.length > 0;
      return { done, says: sentenceOf(report, open), subject: id, about: owner.store(id), facts };
    },
  };
}

function sentenceOf(
  { orders, stays, why }: Awaited<ReturnType<typeof forgetIn>>['report'],
  open: number,
): string {
  const waits =
    open === 0
      ? ''
      : ` ${open} ${open === 1 ? 'pedido tiene' : 'pedidos tienen'} comprobantes en camino: repita mañana.`;
  if (orders.length === 0) return `No se borró nada: ningún pedido guardado es de ese comprador.${waits}`;
  const kept = stays.length === 0 ? '' : ` Se conservan ${stays.join(', ')}. ${why}`;
  return `Se borraron los datos del comprador de ${orders.length} ${orders.length === 1 ? 'pedido' : 'pedidos'}.${kept}${waits} Bórrelo también en la tienda: un pedido que allí vuelva a cambiar se lee otra vez.`;
}

function unknownStore(id: string): ConfigError {
  return new ConfigError(
    'unknown-store',
    `No hay ninguna tienda «${id}»: mire «facturapuente store list».`,
    `There is no store ${id}.`,
  );
}

const whose = z.strictObject({ document: z.string().min(1).max(80), by: z.string().max(200) });
const text = z.string().max(400).default('');
const identified = z.strictObject({
  ...whose.shape,
  type: z.enum(['cedula', 'ruc', 'pasaporte', 'exterior']).nullable().default(null),
  id: text,
  name: text,
  email: text,
});
const paused = z.strictObject({
  account: z.string().max(63),
  ambiente: z.union([z.literal(1), z.literal(2)]).nullable(),
  by: z.string().max(200),
});
const alertName = z.strictObject({
  code: z.string().max(80),
  subject: z.string().max(400),
  by: z.string().max(200),
});

/** The commands by which a person answers what the product cannot decide; see domain/commands.ts. */
function peopleCommands(steps: StepDeps): CommandTable {
  return {
    async identify(input, { find }) {
      const { document: name, by, ...given } = readInput(identified, input);
      const document = await find({ document: name });
      const subject = subjectOf(document);
      const answered = await answerFor(steps, document, { given, by });
      if (answered.kind === 'refused') return { done: false, says: answered.says, ...subject };
      if (answered.kind === 'wrong')
        return { done: false, says: Object.values(answered.flaws).join(' '), ...subject };
      const says = `La identificación del pedido ${document.orderName} queda guardada y su factura sale enseguida.`;
      return { done: true, says, ...subject, facts: { type: answered.type } };
    },

    async 'mail-buyer'(input, { find }) {
      const document = await find(readInput(whose, input));
      const refused = await mailAgain(steps, document);
      const says = refused ?? `El correo para el comprador del pedido ${document.orderName} sale enseguida.`;
      return { done: refused === null, says, ...subjectOf(document) };
    },

    async reprocess(input, { find }) {
      const asked = readInput(whose, input);
      const document = await find(asked);
      const refused = await reprocessByHand(steps, document, asked.by);
      const says = refused ?? 'Se pide al servicio que la entregue otra vez al SRI, con su misma clave.';
      return { done: refused === null, says, ...subjectOf(document) };
    },

    async 'probe-account'(input, { ledger }) {
      const { account, ambiente } = readInput(paused, input);
      const pause = await ledger.pauses.get(account, ambiente);
      if (!pause) return { done: false, says: 'Esa cuenta ya no está en pausa.', subject: account };
      await probeNow(steps, pause);
      const says = 'Se prueba la cuenta ahora: si la causa ya no está, lo que espera sale solo.';
      const about = owner.account(account);
      return { done: true, says, subject: account, about, facts: { cause: pause.cause } };
    },

    async 'clear-alert'(input, { ledger }) {
      const { code, subject } = readInput(alertName, input);
      if (!isClearable(code))
        return { done: false, says: `El aviso ${code} termina solo cuando termina su causa.`, subject };
      const found = (await ledger.alerts.open()).find((one) => one.code === code && one.subject === subject);
      if (!found) return { done: false, says: 'Ese aviso no está abierto.', subject };
      await steps.alerts.over({ code, subject });
      return { done: true, says: 'El aviso queda revisado.', subject, about: found.about, facts: { code } };
    },
  };
}
