import { z } from 'zod';
import { isClearable } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import { type Document, documentKinds, documentNumber } from '../domain/document.ts';
import { CommandError, FacturapuenteError } from '../domain/errors.ts';
import { orderSubject } from '../domain/job.ts';
import { wrongFields } from '../domain/loose.ts';
import type { InstallItem } from '../domain/platform.ts';
import { type Owner, owner, type Scope, type Settings, storeOf, storeOfShop } from '../domain/settings.ts';
import type { CommandAnswer, Commands } from '../domain/storing.ts';
import { probeNow } from '../jobs/account-pause.ts';
import { answerFor, mailAgain } from '../jobs/ask-buyer.ts';
import type { JobDeps } from '../jobs/deps.ts';
import { enqueueSync } from '../jobs/enqueue.ts';
import { revokeLinks } from '../jobs/files.ts';
import { forgetIn } from '../jobs/forget-buyer.ts';
import { confirmDeleted, freeJobs, freeOfAlert, reprocessByHand, retryDocument } from '../jobs/retry.ts';
import { buyerAlert } from '../jobs/shop-event.ts';
import { findDocument, takeKey } from '../jobs/take-key.ts';
import type { Ledger, LedgerView } from '../ledger/ledger.ts';
import type { AuditEntry, AuditEntryOutcome } from '../ledger/schema.ts';

const by = z.string().max(200);
const name = z.string().min(1).max(80);
const which = {
  document: name,
  store: z.string().max(63).optional(),
  kind: z.enum(documentKinds).optional(),
};

/** The commands that write, for terminal, panel and assistants; each run goes into the audit log. See domain/storing.ts. */
export function openCommands(
  handlers: JobDeps,
  settings: Pick<Settings, 'stores'>,
  more: { ofStores?: CommandTable; ofInstallation?: CommandTable } = {},
): Commands {
  const ofStores: CommandTable = {
    ...more.ofStores,
    ...documentCommands(handlers),
    ...shopCommands(handlers),
  };
  const ofInstallation = { ...more.ofInstallation, ...installationCommands(handlers) };
  const viewOf = (scope: Scope | null): CommandView => {
    const { stores } = scope ?? settings;
    const ledger = handlers.ledger.view(scope);
    const find: CommandView['find'] = ({ document, store, kind }) =>
      findDocument(ledger, stores.values(), { name: document, store, kind });
    return { scope, stores, ledger, find };
  };
  return {
    async run(what, input, scope = null) {
      const known = scope === null ? { ...ofInstallation, ...ofStores } : ofStores;
      const found = Object.hasOwn(known, what) ? known[what] : undefined;
      if (!found) return undefined;
      const { by: who = null, document = null } = requested.safeParse(input).data ?? {};
      return audited(auditIn(handlers, { who, what, subject: document }), async () => {
        const { subject = document, about, facts, ...answer } = await found.run(input, viewOf(scope));
        const outcome = answer.done ? 'done' : 'nothing';
        return { found: answer, outcome, subject, about, ...(facts && { facts }) };
      });
    },
  };
}

const requested = z.object({ by, document: z.string().max(80).optional() });

/** What a command may see: nothing beyond the scope of the person or token that gives it. */
interface CommandView {
  scope: Scope | null;
  stores: Settings['stores'];
  ledger: LedgerView;
  /** Throws FacturapuenteError `not-found`, `ambiguous`. */
  find(named: {
    document: string;
    store?: string | undefined;
    kind?: Document['kind'] | undefined;
  }): Promise<Document>;
}

/** A command: the schema of its input, which says by whom, and the function that reads it and carries it out. */
export interface Command {
  input: z.ZodType;
  /** Throws CommandError `input-invalid`. */
  run(input: unknown, view: CommandView): Promise<Carried>;
}
type CommandTable = Readonly<Record<string, Command>>;

/** What a command answers, with what the audit log keeps: what it was done to, whose that is, and small facts. */
interface Carried extends CommandAnswer {
  subject?: string;
  about?: Owner | undefined;
  /** No buyers' data. */
  facts?: Record<string, unknown> | undefined;
}

export function command<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (input: z.output<z.ZodObject<Shape>>, view: CommandView & { by: string }) => Promise<Carried>,
): Command {
  const input = z.strictObject({ ...shape, by });
  return {
    input,
    async run(given, view) {
      const read = input.safeParse(given);
      if (!read.success)
        throw new CommandError('input-invalid', {
          why: 'fields',
          name: 'El comando',
          fields: wrongFields(read.error),
        });
      const { by, ...rest } = read.data as { by: string };
      return run(rest as z.output<z.ZodObject<Shape>>, { ...view, by });
    },
  };
}

/** A document as the audit log names it, and whose it is. */
const subjectOf = (document: Document): { subject: string; about: Owner } => ({
  subject: document.id,
  about: owner.shop(document),
});

/** What a person decides about one document. */
function documentCommands(handlers: JobDeps): CommandTable {
  const text = z.string().max(400).default('');
  const retry = {
    ...which,
    newNumber: z.boolean().optional(),
    accept: z.boolean().optional(),
    seen: z.int().optional(),
  };
  const adopt = { ...which, accessKey: z.string().max(60), vouched: z.boolean() };
  const identify = {
    document: name,
    type: z.enum(['cedula', 'ruc', 'pasaporte', 'exterior']).nullable().default(null),
    id: text,
    name: text,
    email: text,
  };
  return {
    retry: command(retry, async (asked, { find, by }) => {
      const document = await find(asked);
      const { newNumber = false, accept = false, seen } = asked;
      const how = { newNumber, accept, ...(seen !== undefined && { seen }) };
      const { kind, says } = await retryDocument(handlers, document, by, how);
      const done = kind !== 'refused' && kind !== 'nothing';
      const facts = accept ? { accept, code: document.code } : newNumber ? { newNumber } : undefined;
      return { done, says, ...subjectOf(document), facts };
    }),

    'revoke-links': command(which, async (asked, { find }) => {
      const document = await find(asked);
      await revokeLinks(handlers, document);
      return { done: true, says: 'Los enlaces entregados ya no sirven.', ...subjectOf(document) };
    }),

    adopt: command(adopt, async (asked, { find, by }) => {
      const document = await find(asked);
      const taken = await takeKey(handlers, document, { ...asked, by });
      const subject = subjectOf(document);
      if (taken.kind === 'refused') return { done: false, says: taken.reason, ...subject };
      return { done: true, says: adopted(document, taken), ...subject, facts: { checked: taken.checked } };
    }),

    identify: command(identify, async ({ document: id, ...given }, { find, by }) => {
      const document = await find({ document: id });
      const subject = subjectOf(document);
      const answered = await answerFor(handlers, document, { given, by });
      if (answered.kind === 'refused') return { done: false, says: answered.says, ...subject };
      if (answered.kind === 'wrong')
        return { done: false, says: Object.values(answered.flaws).join(' '), ...subject };
      const says = `La identificación del pedido ${document.orderName} queda guardada y su factura sale enseguida.`;
      return { done: true, says, ...subject, facts: { type: answered.type } };
    }),

    'mail-buyer': command({ document: name }, async (asked, { find }) => {
      const document = await find(asked);
      const refused = await mailAgain(handlers, document);
      const says = refused ?? `El correo para el comprador del pedido ${document.orderName} sale enseguida.`;
      return { done: refused === null, says, ...subjectOf(document) };
    }),

    reprocess: command({ document: name }, async (asked, { find, by }) => {
      const document = await find(asked);
      const refused = await reprocessByHand(handlers, document, by);
      const says = refused ?? 'Se pide al servicio que la entregue otra vez al SRI, con su misma clave.';
      return { done: refused === null, says, ...subjectOf(document) };
    }),
  };
}

function adopted(document: Document, { kind, checked }: { kind: string; checked: boolean }): string {
  const what = `${document.kind === 'factura' ? 'La factura' : 'La nota de crédito'} ${documentNumber(document)} del pedido ${document.orderName}`;
  const next = 'Con facturapuente start en marcha se escribe en el pedido.';
  if (kind === 'processing')
    return `${what} está en proceso: se seguirá preguntando al servicio por ella. ${next}`;
  const how = checked ? 'comprobada con su XML' : 'sin comprobar, por cuenta de quien dio la clave';
  return `${what} queda autorizada, ${how}. ${next}`;
}

/** What a person decides about an order, a buyer, an account or an alert. */
function shopCommands(handlers: JobDeps): CommandTable {
  const order = { platform: z.string().max(40), shop: z.string().max(255), orderId: z.string().max(80) };
  const buyer = {
    store: z.string().max(63),
    email: z.string().max(320).nullable(),
    phone: z.string().max(40).nullable(),
    orders: z.array(z.string().max(40)).max(1_000),
  };
  const account = {
    account: z.string().max(63),
    ambiente: z.union([z.literal(1), z.literal(2)]).nullable(),
  };
  return {
    /** Reads an order again and emits what is due. */
    'sync-order': command(order, async (asked, { stores }) => {
      const store = storeOfShop(stores, asked.platform, asked.shop);
      if (!store) return { done: false, says: 'La tienda de ese pedido no está en la configuración.' };
      await freeJobs(handlers, { kind: 'sync-order', subjects: [orderSubject(asked)] });
      await enqueueSync(handlers.ledger, { ...asked, storeId: store.id }, handlers.clock.now());
      const says = 'Se emite enseguida; vea el resultado con explain_order.';
      return { done: true, says, subject: asked.orderId, about: owner.shop(asked) };
    }),

    'forget-buyer': command(buyer, async ({ store: id, ...mark }, { stores }) => {
      const store = storeOf({ stores }, id);
      const key = { platform: store.platform.name, shop: store.shop };
      const { report, open } = await forgetIn(handlers, { ...key, mark });
      const facts = { orders: report.orders.length, stays: report.stays.length, open };
      const done = report.orders.length > 0;
      return { done, says: sentenceOf(report, open), subject: id, about: owner.store(id), facts };
    }),

    'probe-account': command(account, async ({ account, ambiente }, { ledger }) => {
      const pause = await ledger.pauses.get(account, ambiente);
      if (!pause) return { done: false, says: 'Esa cuenta ya no está en pausa.', subject: account };
      await probeNow(handlers, pause);
      const says = 'Se prueba la cuenta ahora: si la causa ya no está, lo que espera sale solo.';
      const about = owner.account(account);
      return { done: true, says, subject: account, about, facts: { cause: pause.cause } };
    }),

    'clear-alert': command(
      { code: z.string().max(80), subject: z.string().max(400) },
      async ({ code, subject }, { ledger }) => {
        if (!isClearable(code))
          return { done: false, says: `El aviso ${code} termina solo cuando termina su causa.`, subject };
        const found = (await ledger.alerts.open()).find(
          (one) => one.code === code && one.subject === subject,
        );
        if (!found) return { done: false, says: 'Ese aviso no está abierto.', subject };
        await handlers.alerts.over({ code, subject });
        const freed = code === 'job-held' ? await freeOfAlert(handlers, subject) : null;
        if (code === 'order-unread') await confirmDeleted(handlers, subject);
        return {
          done: true,
          says: freed ?? 'El aviso queda revisado.',
          subject,
          about: found.about,
          facts: { code },
        };
      },
    ),
  };
}

/** What concerns the whole installation: nobody who is limited to some stores may do it. */
function installationCommands({ ledger, alerts }: JobDeps): CommandTable {
  const request = { platform: z.string().max(63), shop: z.string().max(300), request: z.string().max(300) };
  return {
    reencrypt: command({}, async () => {
      const count = await ledger.reencrypt();
      const says = `Se protegieron con la clave nueva ${count} datos; cuando todos los procesos la usen, puede quitar oldSecrets.`;
      return { done: true, says };
    }),

    'reset-second-factor': command({ person: name }, async ({ person }) => {
      const had = await ledger.secondFactors.remove(person);
      await ledger.sessions.endOf(person);
      const says = had
        ? `La verificación en dos pasos de ${person} queda sin efecto y sus sesiones, cerradas. Pídale que entre ahora mismo al panel: con su contraseña activa una nueva, y hasta entonces lo puede hacer quien la conozca.`
        : `${person} no tiene verificación en dos pasos.`;
      return { done: had, says, subject: person };
    }),

    'buyer-answered': command(request, async ({ platform, shop, request }) => {
      await alerts.over(buyerAlert({ platform, shop, request }));
      const about = owner.shop({ platform, shop });
      return { done: true, says: 'La solicitud queda atendida.', subject: request, about };
    }),
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

/** The outcome of a task, for the audit log. */
interface Outcome {
  outcome: Exclude<AuditEntryOutcome, 'refused'>;
  /** No buyers' data. */
  facts?: Record<string, unknown>;
  subject?: string | null;
  about?: Owner | undefined;
}

/** Adds to the audit log of the ledger. */
export function auditIn(
  { ledger, clock }: { ledger: Pick<Ledger, 'auditLog'>; clock: Clock },
  entry: Pick<AuditEntry, 'who' | 'what' | 'subject'> & { about?: Owner },
): (outcome: Outcome) => Promise<void> {
  const now = clock.now();
  return (outcome) => ledger.auditLog.add({ ...entry, ...outcome, now });
}

/** Runs a task and writes its outcome, a failure too, by `add`. */
export async function audited<T>(
  add: (outcome: Outcome) => Promise<void>,
  task: () => Promise<Outcome & { found: T }>,
): Promise<T> {
  try {
    const { found, ...outcome } = await task();
    await add(outcome);
    return found;
  } catch (error) {
    await add({ outcome: 'failed', facts: error instanceof FacturapuenteError ? { code: error.code } : {} });
    throw error;
  }
}

/** The outcome of an installation: what was changed, and what is left to do. */
export function outcomeOf(items: readonly InstallItem[]): Outcome {
  const named = (wanted: (item: InstallItem) => boolean) => [
    ...new Set(items.filter(wanted).map(({ code }) => code)),
  ];
  const changed = named(({ done }) => done === true);
  const open = named(({ state }) => state !== 'ok' && state !== 'warning');
  return { outcome: changed.length > 0 ? 'done' : 'nothing', facts: { changed, open } };
}
