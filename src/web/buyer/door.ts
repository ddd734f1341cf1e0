import type { Express, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Budget } from '../../domain/budget.ts';
import { type Document, documentNumber } from '../../domain/document.ts';
import { html } from '../../domain/html.ts';
import type { LegalNames } from '../../domain/legal-names.ts';
import { decimal } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import type { Store } from '../../domain/settings.ts';
import { isAsked } from '../../jobs/buyer/ask-buyer.ts';
import { takeAnswer } from '../../jobs/buyer/take-answer.ts';
import { registryNames } from '../../jobs/registry-names.ts';
import type { Question } from '../../ledger/questions.ts';
import { type GivenAnswer, readAnswer, readId } from '../../planner/identity/answer.ts';
import type { HttpDeps } from '../deps.ts';
import { impatientBudget } from '../impatient-budget.ts';
import type { Link } from '../links.ts';
import { type Page, sendPage } from '../pages.ts';
import { formReader } from '../raw-body.ts';
import { type Asked, questionPage } from './form.ts';
import { limitLinks, linkOf, perQuestion } from './limits.ts';

const path = '/identificacion/:token';

/** A question as its link finds it. */
interface Found {
  document: Document;
  store: Store;
  order: Order;
  question: Question;
}

const text = z.string().max(400).catch('');
const givenForm = z
  .object({
    tipo: z.enum(['cedula', 'ruc', 'pasaporte', 'exterior']).nullable().catch(null),
    identificacion: text,
    nombre: text,
    correo: text,
  })
  .transform(
    ({ tipo, identificacion, nombre, correo }): GivenAnswer => ({
      type: tipo,
      id: identificacion,
      name: nombre,
      email: correo,
    }),
  );
const nothing: GivenAnswer = { type: 'cedula', id: '', name: '', email: '' };

/**
 * `/identificacion/:token`: where the buyer of a held order says whom the factura is to name. The link is all that is
 * asked for, so the page shows the shop, the order and its total, and never what somebody wrote before.
 */
export function addBuyerPage(app: Express, deps: HttpDeps): void {
  const { clock, log } = deps;
  const find = openFind(deps);
  const namesOf = openNames(deps);
  const read = formReader(8_192, deps.bodies, 'buyer');
  const tokenOf = (req: Request) => req.path.split('/')[1] ?? '';
  app.use('/identificacion', limitLinks(deps.links, tokenOf));

  const open: RequestHandler<{ token: string }> = async (_req, res, next) => {
    const found = await find(linkOf(res));
    if ('title' in found) return show(res, found);
    res.locals.found = found;
    next();
  };
  const ask = (found: Found, more: Partial<Asked> = {}) =>
    questionPage({
      ...shown(found, clock.now()),
      names: namesOf(found.store) !== null,
      given: nothing,
      flaws: {},
      suggested: false,
      ...more,
    });

  app.get(path, open, (_req, res) => sendPage(res, 200, ask(res.locals.found)));

  app.post(path, open, perQuestion(), read, async (req, res) => {
    const found: Found = res.locals.found;
    const given = givenForm.parse(req.body ?? {});
    const answer = readAnswer(given, found.order);
    if (!answer.ok) {
      // Without scripts the name is offered here; it still takes the buyer's own click.
      const name = answer.flaws.name ? await offered(found, given) : null;
      const filled = name === null ? {} : { given: { ...given, name }, suggested: true };
      const { name: _offered, ...rest } = answer.flaws;
      const flaws = name === null ? answer.flaws : rest;
      return sendPage(res, 422, ask(found, { given, flaws, ...filled }));
    }
    const taken = await takeAnswer(deps, found.document, answer.answer);
    log.info({ store: found.store.id, order: found.order.id, taken }, 'A buyer answered');
    // The address stays: its next answer tells how the factura fares, and a reload sends nothing twice.
    res.redirect(303, req.params.token);
  });

  app.post(`${path}/nombre`, open, read, async (req, res) => {
    res.json({ nombre: await offered(res.locals.found, givenForm.parse(req.body ?? {})) });
  });

  /** null also where no more names are looked up today: the buyer writes his own. */
  async function offered({ document, store, order }: Found, given: GivenAnswer): Promise<string | null> {
    const { value } = readId(given, order);
    if (value === null || (given.type !== 'cedula' && given.type !== 'ruc')) return null;
    const asker = { store, link: document.id };
    return (await namesOf(store)?.of({ type: given.type, id: value }, asker)) ?? null;
  }
}

const show = (res: Response, page: StatePage) => sendPage(res, page.status, page);

/** What stands behind a link, or the page that says why nothing is asked. */
function openFind({ ledger, settings, clock }: HttpDeps) {
  const storeOf = (document: Document) =>
    [...settings.stores.values()].find(
      ({ platform, shop }) => platform.name === document.platform && shop === document.shop,
    );
  return async (link: Link | null): Promise<Found | StatePage> => {
    const document =
      link?.purpose === 'identification' ? await ledger.documents.get(link.documentId) : undefined;
    const store = document && storeOf(document);
    if (!link || !document || !store) return wrongLink();
    const { nombre_comercial: shop } = store.issuer;
    if (link.expiresAt === null || link.expiresAt <= clock.now()) return expiredLink(shop);
    const question = await ledger.questions.get(document);
    if (question?.answeredAt && document.state === 'held') return answered(document, shop, isAsked(document));
    if (!isAsked(document)) return stateOf(document, shop);
    const order = (await ledger.orders.ofDocument(document))?.snapshot as Order | undefined;
    return question && order ? { document, store, order, question } : wrongLink();
  };
}

function shown({ document, store, order, question }: Found, now: Date) {
  const { finalConsumer, buyer } = store.policy;
  const total = document.charged ?? order.total;
  const final =
    buyer.afterCutOff === 'final-consumer' &&
    finalConsumer.allowed &&
    decimal(total).lte(finalConsumer.limit);
  const cutOffAt = new Date(question.cutOffAt);
  return {
    shop: store.issuer.nombre_comercial,
    order: document.orderName,
    total,
    cutOffAt: question.passedAt === null && cutOffAt > now ? cutOffAt : null,
    now,
    afterCutOff: final
      ? 'Después se emite a consumidor final, sin su nombre, y ya no se puede cambiar.'
      : 'Después su factura queda pendiente hasta que la tienda la revise.',
  };
}

/** Legal names for people who wait before a page, within the rate of the store's key; null where the policy is `off`. */
function openNames({
  service,
  ...deps
}: Pick<HttpDeps, 'service' | 'clock' | 'log' | 'alerts' | 'ledger'>): (store: Store) => LegalNames | null {
  const opened = new Map<string, LegalNames>();
  return ({ account, policy }) => {
    if (policy.buyer.registry === 'off') return null;
    const known = opened.get(account.keyHash);
    if (known) return known;
    const access = service(account.id);
    if (!access) return null;
    const budget: Budget = impatientBudget(access.budget, 20, 3_000);
    const names = registryNames(access.client.with(budget), deps);
    opened.set(account.keyHash, names);
    return names;
  };
}

/** A page for every state in which nothing is asked; each with its HTTP status. */
interface StatePage extends Page {
  status: number;
}

const page = (status: number, title: string, sentence: string, shop?: string, wait = false): StatePage => ({
  status,
  title,
  ...(shop !== undefined && { shop }),
  ...(wait && { scripts: ['identificacion.js'] }),
  body: html`<div id="estado" role="status"${wait && html` data-wait`}><p>${sentence}</p></div>`,
});

/** For a wrong, an altered and a forgotten link alike: it says nothing about what exists. */
const wrongLink = (): StatePage =>
  page(
    404,
    'Enlace no válido',
    'Este enlace no corresponde a ningún pedido. Revise que esté completo o pida a la tienda que se lo envíe de nuevo.',
  );

const expiredLink = (shop: string): StatePage =>
  page(
    410,
    'Este enlace venció',
    'Por seguridad, el enlace para dar su identificación sirve solo unos días. Pida uno nuevo a la tienda si su factura sigue pendiente.',
    shop,
  );

/** Where the factura stands once there is nothing more to ask. */
function stateOf(document: Document, shop: string): StatePage {
  const number = documentNumber(document);
  switch (document.state) {
    case 'authorized':
      return page(
        200,
        'Su factura ya fue emitida',
        `La factura ${number} de su pedido ${document.orderName} está autorizada por el SRI. El enlace para verla y descargarla está en su pedido de la tienda.`,
        shop,
      );
    case 'cancelled':
      return page(
        410,
        'Ya no hace falta',
        `El pedido ${document.orderName} ya no necesita una factura. Si cree que es un error, escriba a la tienda.`,
        shop,
      );
    case 'rejected':
    case 'manual':
      return page(
        200,
        'La tienda revisa su factura',
        `La factura de su pedido ${document.orderName} necesita la revisión de la tienda. Usted no tiene que hacer nada más.`,
        shop,
      );
    default:
      return page(
        200,
        'Su factura está en camino',
        `La factura de su pedido ${document.orderName} se está emitiendo. Suele tardar menos de un minuto.`,
        shop,
        true,
      );
  }
}

/** Held still, with an answer: the next plan has it, or something else holds the order. */
const answered = (document: Document, shop: string, waits: boolean): StatePage =>
  page(
    200,
    'Gracias: ya tenemos su identificación',
    waits
      ? `La factura de su pedido ${document.orderName} se está emitiendo. Suele tardar menos de un minuto.`
      : `La tienda revisa otro dato de su pedido ${document.orderName} y emitirá la factura con la identificación que usted dio. No tiene que hacer nada más.`,
    shop,
    waits,
  );
