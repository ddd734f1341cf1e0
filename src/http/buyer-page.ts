import type { Express, Request, RequestHandler, Response } from 'express';
import { type Options, rateLimit } from 'express-rate-limit';
import { type Document, documentNumber } from '../domain/document.ts';
import type { LegalNames } from '../domain/identification.ts';
import { decimal } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { type Store, storeOfShop } from '../domain/settings.ts';
import { html } from '../domain/text.ts';
import { isAsked, takeAnswer } from '../jobs/ask-buyer.ts';
import { registryNames } from '../jobs/registry-names.ts';
import type { Question } from '../ledger/schema.ts';
import { readAnswer, readId } from '../planner/identity/choice.ts';
import { type Asked, givenForm, questionPage, unfilled } from './buyer-form.ts';
import type { HttpDeps } from './deps.ts';
import { clientOf, formReader } from './endpoints.ts';
import { impatientRateLimit } from './limits.ts';
import { type Link, type Links, withoutTail } from './links.ts';
import { answerPage, type Page, sendPage } from './pages.ts';

const path = '/identificacion/:token';

interface Found {
  document: Document;
  store: Store;
  order: Order;
  question: Question;
}

/** Anyone who has the link may open it, so the page never shows an earlier answer. */
export function addBuyerPage(app: Express, deps: HttpDeps): void {
  const { clock, log } = deps;
  const find = openFind(deps);
  const namesOf = openNames(deps);
  const read = formReader(8_192, deps.bodies);
  const tokenOf = (req: Request) => withoutTail(req.path.split('/')[1] ?? '');
  app.use('/identificacion', limitLinks(deps.links, tokenOf));

  const open: RequestHandler<{ token: string }> = async (_req, res, next) => {
    const found = await find(linkOf(res));
    if ('title' in found) return show(res, found);
    res.locals.found = found;
    next();
  };
  const ask = (found: Found, more: Partial<Asked> = {}) => {
    const names = namesOf(found.store) !== null;
    return questionPage({ ...shown(found, clock.now()), names, ...unfilled, suggested: false, ...more });
  };

  // The page's addresses are relative to the link without a slash at its end.
  app.all(path, (req, res, next) => {
    if (!req.path.endsWith('/')) return next();
    res.redirect(307, `../${encodeURIComponent(req.params.token)}`);
  });

  app.get(path, open, (_req, res) => sendPage(res, 200, ask(res.locals.found)));

  app.post(path, open, limited(10 * minute, 20, documentOf), read, async (req, res) => {
    const found: Found = res.locals.found;
    const given = givenForm.parse(req.body ?? {});
    const answer = readAnswer(given, found.order);
    if (!answer.ok) {
      // Without scripts the buyer still has to confirm the suggested name.
      const name = answer.flaws.name ? await suggest(found, given) : null;
      const { name: _missing, ...flaws } = answer.flaws;
      const filled = name === null ? answer : { given: { ...given, name }, flaws, suggested: true };
      return sendPage(res, 422, ask(found, { given, ...filled }));
    }
    const taken = await takeAnswer(deps, found.document, answer.answer);
    log.info({ store: found.store.id, order: found.order.id, taken }, 'A buyer answered');
    // A reload sends nothing twice.
    res.redirect(303, req.params.token);
  });

  app.post(`${path}/nombre`, open, read, async (req, res) => {
    res.json({ nombre: await suggest(res.locals.found, givenForm.parse(req.body ?? {})) });
  });

  /** null also where the limit of look-ups of the day is reached. */
  async function suggest({ document, store, order }: Found, given: Asked['given']): Promise<string | null> {
    const { value } = readId(given, order);
    if (value === null || (given.type !== 'cedula' && given.type !== 'ruc')) return null;
    const asker = { store, link: document.id };
    return (await namesOf(store)?.of({ type: given.type, id: value }, asker)) ?? null;
  }
}

const show = (res: Response, page: StatePage) => sendPage(res, page.status, page);

function openFind({ ledger, settings, clock }: HttpDeps) {
  return async (link: Link | null): Promise<Found | StatePage> => {
    const document =
      link?.purpose === 'identification' ? await ledger.documents.get(link.documentId) : undefined;
    const store = document && storeOfShop(settings.stores, document.platform, document.shop);
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

function openNames(deps: HttpDeps): (store: Store) => LegalNames | null {
  const opened = new Map<string, LegalNames>();
  return ({ account, policy }) => {
    if (policy.buyer.registry === 'off') return null;
    const known = opened.get(account.keyHash);
    if (known) return known;
    const access = deps.service(account.id);
    if (!access) return null;
    const rateLimit = impatientRateLimit(access.rateLimit, 20, 3_000);
    const names = registryNames(access.client.with(rateLimit), deps);
    opened.set(account.keyHash, names);
    return names;
  };
}

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

/** The same for a wrong, an altered and a deleted link: it does not say what exists. */
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
    'Por seguridad, el enlace para ingresar su identificación sirve solo unos días. Pida uno nuevo a la tienda si su factura sigue pendiente.',
    shop,
  );

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
        'Su factura está en trámite',
        `La factura de su pedido ${document.orderName} se está emitiendo. Suele tardar menos de un minuto.`,
        shop,
        true,
      );
  }
}

const answered = (document: Document, shop: string, waits: boolean): StatePage =>
  page(
    200,
    'Gracias: ya tenemos su identificación',
    waits
      ? `La factura de su pedido ${document.orderName} se está emitiendo. Suele tardar menos de un minuto.`
      : `La tienda revisa otro dato de su pedido ${document.orderName} y emitirá la factura con la identificación que usted ingresó. No tiene que hacer nada más.`,
    shop,
    waits,
  );

const minute = 60_000;

const limited = (windowMs: number, limit: number, keyGenerator: Options['keyGenerator']) =>
  rateLimit({
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    standardHeaders: false,
    legacyHeaders: false,
    windowMs,
    limit,
    keyGenerator,
    handler(_req, res) {
      res.set('Retry-After', String(windowMs / 1000));
      answerPage(
        res,
        429,
        'Demasiados intentos',
        'Se hicieron demasiados intentos en poco tiempo. Espere unos minutos y vuelva a abrir el enlace.',
      );
    },
  });

const documentOf = (_req: Request, res: Response): string => String(res.locals.documentId);

/** Wrong links are limited by client, genuine ones by document, whose limit wrong links do not use up. */
export function limitLinks(
  links: Links,
  tokenOf: (req: Request) => string,
  { wrong = 60, genuine = 120 }: { wrong?: number; genuine?: number } = {},
): RequestHandler {
  const wrongLinks = limited(minute, wrong, clientOf);
  const genuineLinks = limited(minute, genuine, documentOf);
  return (req, res, next) => {
    const link = links.read(tokenOf(req));
    res.locals.link = link;
    res.locals.documentId = link?.documentId;
    return link === null ? wrongLinks(req, res, next) : genuineLinks(req, res, next);
  };
}

export const linkOf = (res: Response): Link | null => res.locals.link ?? null;
