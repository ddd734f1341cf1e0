import {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import { z } from 'zod';
import { FacturapuenteError } from '../domain/errors.ts';
import type { Order } from '../domain/order.ts';
import { mayConfigureAll, mayDo, type Person, type Role } from '../domain/settings.ts';
import { type Html, html } from '../domain/text.ts';
import { assetsPath } from '../http/assets.ts';
import { failureOf, formReader, notFound } from '../http/endpoints.ts';
import { panelPath } from '../http/server.ts';
import type { DocumentTimeline } from '../ledger/timeline.ts';
import type { Action } from '../planner/action.ts';
import { limitLines } from '../queue/transport.ts';
import { openAnswers } from './answers.ts';
import { auditLogPage } from './audit-log.ts';
import { closeActions, closePage, monthPage } from './close.ts';
import { openPanelDeps, type PanelParts } from './deps.ts';
import { documentPage, missing, pdfPage, section, xmlPage } from './document.ts';
import { documentButtons } from './document-buttons.ts';
import { documentPath, documentTitle, showAction, showJobs, stateChip } from './document-parts.ts';
import { documentWords } from './document-words.ts';
import { openSecondFactor, type SecondFactorPolicy } from './factor.ts';
import { findPage } from './find.ts';
import { type Framed, frameWords } from './frame.ts';
import { openSignIn } from './guesses.ts';
import { identifyAction, identifyPage } from './identify.ts';
import { newNumberAction, newNumberPage } from './new-number.ts';
import { actionsOf, pagesOf } from './operations.ts';
import { addPasswords } from './password.ts';
import { openPeople } from './people.ts';
import { addSecondFactor, codePath } from './second-factor.ts';
import { cookiesAt, freshMs, openSessions, type SignedIn } from './sessions.ts';
import { comeFrom, isPanelPath, kindName, moment, money } from './show.ts';
import { addEntry, signInPath } from './sign-in.ts';
import { shopsPage } from './stores.ts';
import { panelAssets } from './style.ts';
import { todayPage } from './today.ts';
import { retryGroupAction } from './today-actions.ts';
import { trendsPage } from './trends.ts';
import type { PanelAction, PanelAnswer, PanelPage, Visit } from './visit.ts';

const orderPage: PanelPage = {
  path: '/pedido/:store/:id',
  role: 'read',
  async show(visit) {
    const { store = '', id = '' } = visit.params;
    const { settings, ledger } = visit.deps;
    const known = settings.stores.get(store);
    // The orders of a store that was removed from the config are found by their id.
    const [found] = known
      ? [{ platform: known.platform.name, shop: known.shop, orderId: id }]
      : (await ledger.finding.orders({ id, names: [] }, 20)).filter(({ storeId }) => storeId === store);
    const timeline = found && (await ledger.timelines.of(found));
    if (!timeline) return missing(visit);
    const { order, documents, jobs } = timeline;
    const { total } = order.snapshot as Order;
    const actions = (order.decision ?? []) as Action[];
    return {
      title: documentWords.orderTitle(order.name),
      above: html`<p><a href="${visit.at('/buscar')}">${documentWords.back}</a></p>`,
      body: html`<dl class="pairs"><div><dt>${documentWords.facts.store}</dt><dd>${order.storeId}</dd></div><div><dt>${documentWords.orderTotal}</dt><dd>${money(total)}</dd></div><div><dt>${documentWords.orderRead}</dt><dd>${moment(order.syncedAt, visit)}</dd></div></dl>
${section(
  'comprobantes',
  documentWords.documents,
  documents.length === 0
    ? html`<p class="soft">${documentWords.noDocuments}</p>`
    : html`<ul class="cards">${documents.map((one) => card(visit, one))}</ul>`,
)}
${section(
  'corresponde',
  documentWords.decisions,
  actions.length === 0
    ? html`<p class="soft">${documentWords.noPlan}</p>`
    : actions.map(
        (action) =>
          html`<details class="fold"><summary>${kindName(action)}: ${documentWords.actions[action.action]}</summary>${showAction(action)}</details>`,
      ),
)}
${section('falta', documentWords.pending, showJobs(visit, jobs))}`,
    };
  },
};

function card(visit: Visit, past: DocumentTimeline): Html {
  const { document } = past;
  const { id, charged, total, reason } = document;
  return html`<li class="card"><div class="lead"><h3><a href="${visit.at(documentPath(id))}">${documentTitle(document)}</a></h3>${stateChip(document)}</div>
<ul class="facts"><li>${money(total ?? charged)}</li><li>${moment(document.updatedAt, visit)}</li></ul>
${reason !== null && html`<p>${reason}</p>`}<div class="acts">${document.state !== 'authorized' && document.state !== 'cancelled' && documentButtons(visit, document, { small: true, past })}</div></li>`;
}

/**
 * Checks session and role for every page and form, and that no other site sent a form. Answers the guard of pages
 * outside the panel, which admits people who may configure the whole installation.
 */
export function addPanel(
  app: Express,
  deps: PanelParts,
  people: readonly Person[],
  policy: SecondFactorPolicy,
): RequestHandler {
  const { publicUrl } = deps.settings;
  const root = new URL(publicUrl).pathname.replace(/\/$/, '');
  const cookies = cookiesAt(publicUrl);
  const known = openPeople(deps, people);
  const signIn = openSignIn(deps, known);
  const factors = openSecondFactor(deps, policy);
  const sessions = openSessions(deps, known, cookies, factors.isEnough);
  const answers = openAnswers(deps, root);
  const depsOf = openPanelDeps(deps);
  const warn = limitLines(deps.log.warn.bind(deps.log), () => deps.clock.now().getTime());
  const pages = [...panelPages, ...pagesOf(deps.operations.all)];
  const router = Router({ strict: false });
  app.get(`${assetsPath}/:name`, panelAssets.send);
  app.use(panelPath, router);

  const framedBy = (req: Request, signedIn: SignedIn | null): Framed => ({
    root,
    here: req.method === 'POST' ? comeFrom({ ...req.body }) : req.url === '/' ? '' : req.url,
    pages,
    person: signedIn && { ...signedIn.person, notice: null },
  });
  router.use((req, res, next) => {
    // `no-referrer` would make browsers hide the origin of the forms.
    res.set('Referrer-Policy', 'same-origin');
    if (['GET', 'HEAD'].includes(req.method) || isOurs(req, publicUrl)) return next();
    warn({ path: req.path }, 'A form from outside the panel was refused');
    answers.refuse(res, framedBy(req, null), 403, 'forged');
  });
  type Entry = Omit<Parameters<typeof deps.ledger.auditLog.add>[0], 'who' | 'now'>;
  const record = ({ user }: Person, entry: Entry) =>
    deps.ledger.auditLog.add({ who: `${user} (panel)`, now: deps.clock.now(), ...entry });
  async function enter(req: Request, res: Response, person: Person, by: 'password' | 'code' | 'recovery') {
    const signedIn = await sessions.begin(req, res, person, by === 'password' ? 'password' : 'code');
    signIn.remember(req, res, person);
    await record(person, { what: 'sign-in', outcome: 'done', subject: null, facts: { by } });
    return signedIn;
  }
  async function sendSignIn(req: Request, res: Response): Promise<void> {
    const asked = req.method === 'GET' && req.url !== '/' && isPanelPath(req.url) ? req.url : '';
    const path = (await sessions.pendingOf(req)) ? codePath(asked) : signInPath(asked);
    res.redirect(303, `${root}${panelPath}${path}`);
  }
  const parts = {
    root,
    cookies,
    people: known,
    sessions,
    signIn,
    factors,
    answers,
    framedBy,
    enter,
    sendSignIn,
  };
  addEntry(router, deps, parts);
  addSecondFactor(router, deps, parts);
  addPasswords(router, deps, parts);

  const guarded =
    (role: Role, answer: (visit: Visit, req: Request) => Promise<PanelAnswer>, wantsFreshCode = false) =>
    async (req: Request, res: Response): Promise<void> => {
      const signedIn = await sessions.of(req);
      if (signedIn === null) return sendSignIn(req, res);
      const frame = framedBy(req, signedIn);
      res.locals.frame = frame;
      const visit = visitOf(req, frame, signedIn);
      if (!mayDo(signedIn.person.role, role)) {
        deps.log.warn({ path: req.path, user: visit.user }, 'The role of a person does not suffice');
        if (req.method === 'POST')
          await record(signedIn.person, { what: 'not-allowed', outcome: 'refused', subject: req.path });
        return answers.refuse(res, frame, 403, 'role');
      }
      const age = visit.now.getTime() - Date.parse(signedIn.beganAt);
      if (wantsFreshCode && factors.isOn && age > freshMs) {
        // Asks for the code again and returns to the form; nothing is done yet.
        await sessions.begin(req, res, signedIn.person, 'pending');
        return res.redirect(303, `${root}${panelPath}${codePath(frame.here)}`);
      }
      await answers.send(res, { frame, signedIn, answer: await answer(visit, req) });
    };

  function visitOf(req: Request, { here }: Framed, { person }: SignedIn): Visit {
    const by = `${person.user} (panel)`;
    return {
      deps: depsOf(person, by),
      user: person.user,
      role: person.role,
      by,
      now: deps.clock.now(),
      params: req.params as Record<string, string>,
      query: new URL(req.url, 'http://panel').searchParams,
      at: (path) => `${root}${panelPath}${path}`,
      here,
    };
  }

  const read = formReader(8_192, deps.bodies);
  for (const { path, role, show, ownPagesOnly } of pages)
    router.get(path === '' ? '/' : path, (req, res, next) => {
      if (ownPagesOnly && !isOurs(req, publicUrl)) return notFound(req, res, next);
      return guarded(role, show)(req, res);
    });
  for (const { path, role, wantsFreshCode, run } of [...panelActions, ...actionsOf(deps.operations.all)])
    router.post(
      path,
      read,
      guarded(role, (visit, req) => run(visit, { ...req.body }), wantsFreshCode),
    );
  router.post('/salir', async (req, res) => {
    const signedIn = (await sessions.of(req)) ?? (await sessions.pendingOf(req));
    if (signedIn) {
      await sessions.end(req, res);
      await record(signedIn.person, { what: 'sign-out', outcome: 'done', subject: null });
    }
    res.redirect(303, `${root}${panelPath}/entrar`);
  });

  router.use(async (req, res) => {
    const signedIn = await sessions.of(req);
    if (signedIn === null) return sendSignIn(req, res);
    const frame = framedBy(req, signedIn);
    const { missing, back } = frameWords;
    const body = html`<p>${missing.message}</p><p><a href="${root}${panelPath}">${back}</a></p>`;
    answers.page(res, frame, { status: 404, title: missing.title, body });
  });
  const failed: ErrorRequestHandler = (error, req, res, next) => {
    if (res.headersSent) return next(error);
    const frame: Framed = res.locals.frame ?? framedBy(req, null);
    // No form of the panel sends such fields.
    if (error instanceof z.ZodError) return answers.refuse(res, frame, 400, 'unread');
    if (error instanceof FacturapuenteError) return answers.say(res, frame, 422, error.merchant);
    const { status, word } = failureOf(error);
    if (word === 'failed')
      deps.log.error({ err: error, route: req.route?.path }, 'A page of the panel failed');
    answers.refuse(res, frame, status, word === 'failed' ? 'failed' : 'unread');
  };
  router.use(failed);

  return async (req, res, next) => {
    const signedIn = await sessions.of(req);
    if (signedIn === null) return res.redirect(303, `${root}${panelPath}/entrar`);
    if (mayConfigureAll(signedIn.person)) return next();
    const { user } = signedIn.person;
    deps.log.warn({ path: req.baseUrl, user }, 'The role of a person does not suffice');
    notFound(req, res, next);
  };
}

/** Decided by Sec-Fetch-Site, which pages cannot forge, else by Origin; other programs send neither. */
function isOurs({ headers }: Pick<Request, 'headers'>, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === new URL(publicUrl).origin;
}

/** A new page is a `PanelPage` (visit.ts) named here; its forms are `actionForm`s (show.ts) of an action named below. */
export const panelPages: readonly PanelPage[] = [
  todayPage,
  findPage,
  documentPage,
  pdfPage,
  xmlPage,
  orderPage,
  shopsPage,
  trendsPage,
  closePage,
  monthPage,
  identifyPage,
  newNumberPage,
  auditLogPage,
];

export const panelActions: readonly PanelAction[] = [
  retryGroupAction,
  identifyAction,
  newNumberAction,
  ...closeActions,
];
