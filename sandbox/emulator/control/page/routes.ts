import { randomBytes } from 'node:crypto';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { html } from '../../../../src/domain/text.ts';
import type { World } from '../../world.ts';
import { thisMachineOnly } from '../this-machine.ts';
import { accountsView } from './accounts.ts';
import { type Action, actionsOf, noticeOf } from './actions.ts';
import { auditView } from './audit.ts';
import { clockView } from './clock.ts';
import { deliveriesView } from './deliveries.ts';
import { documentView } from './document.ts';
import { documentsView } from './documents.ts';
import { faultsView } from './faults.ts';
import { icon } from './icon.ts';
import { layout, type Notice } from './layout.ts';
import { download } from './own-calls.ts';
import { type Form, formOf, type View } from './parts.ts';
import { script } from './script.ts';
import { frameStyle } from './style.ts';
import { partsStyle } from './style-parts.ts';

/** Draws one page for an address; undefined when there is nothing there. */
type Draw = (path: string, query: Record<string, string>, form: Form) => Promise<View | undefined>;

/** `/` and `/pagina/…`: the sandbox to look at and to handle, only from this machine. */
export function pageRoutes(world: World, reset: () => void): Router {
  // A page of an earlier sandbox on this port cannot change this one, nor can anybody who has not read a page.
  const token = randomBytes(16).toString('hex');
  const draw = drawer(world);
  const show = async (res: Response, status: number, path: string, query: object, notice?: Notice) => {
    const texts = Object.fromEntries(Object.entries(query).filter(([, value]) => typeof value === 'string'));
    const view = await draw(path, texts, formOf(token, path));
    res
      .status(view ? status : 404)
      .type('html')
      .send(layout(world, view ?? nothing, notice));
  };

  const router = Router();
  router.all('/', thisMachineOnly(world), headers);
  router.use('/pagina', thisMachineOnly(world), headers);
  router.get('/pagina/estilo.css', (_req, res) => void res.type('css').send(frameStyle + partsStyle));
  router.get('/pagina/pagina.js', (_req, res) => void res.type('js').send(script));
  router.get('/pagina/icono.svg', (_req, res) => void res.type('svg').send(icon));
  router.get('/pagina/comprobantes/:clave/ride.pdf', file(world, 'descargar_pdf'));
  router.get('/pagina/comprobantes/:clave/comprobante.xml', file(world, 'descargar_xml'));
  for (const path of ['/', '/pagina/*splat']) {
    router.get(path, (req, res) => show(res, 200, req.path, req.query, noticeOf(req.query.aviso)));
  }
  for (const [path, action] of Object.entries(actionsOf(world, reset))) {
    router.post(`/pagina${path}`, express.urlencoded({ limit: '20kb' }), submit(token, action, show));
  }
  return router;
}

function drawer(world: World): Draw {
  return async (path, query, form) => {
    if (path === '/') return documentsView(world, query, form);
    const clave = /^\/pagina\/comprobantes\/(\d+)$/.exec(path)?.[1];
    const document = clave === undefined ? undefined : world.documents.byKey(clave);
    if (document) return documentView(world, document, form);
    const views: Record<string, () => View> = {
      '/pagina/entregas': () => deliveriesView(world, form),
      '/pagina/cuentas': () => accountsView(world, form),
      '/pagina/fallas': () => faultsView(world, form),
      '/pagina/reloj': () => clockView(world, form),
      '/pagina/auditoria': () => auditView(world, form),
    };
    return Object.hasOwn(views, path) ? views[path]?.() : undefined;
  };
}

const nothing: View = {
  title: 'No existe',
  section: '',
  body: html`<h1>No hay nada aquí</h1><p class="lead">El comprobante o la página no existe; tal vez el sandbox empezó de nuevo. <a href="/">Ver los comprobantes</a></p>`,
};

type Show = (res: Response, status: number, path: string, query: object, notice?: Notice) => Promise<void>;

/** Runs a form's action, then sends the browser back to the page the form stood on. */
function submit(token: string, action: Action, show: Show): RequestHandler {
  return async (req, res) => {
    const asked: Record<string, string> = req.body ?? {};
    const back = /^\/(pagina\/[\w/-]+)?$/.test(asked.volver ?? '') ? String(asked.volver) : '/';
    const refuse = (status: number, text: string) => show(res, status, back, {}, { tone: 'bad', text });
    if (asked.ficha !== token) {
      await refuse(403, 'Esta página es de un sandbox anterior; recárguela e intente otra vez.');
      return;
    }
    const outcome = await action(asked, req.params as Record<string, string>);
    if ('refused' in outcome) await refuse(400, outcome.refused);
    else res.redirect(303, `${back}?aviso=${outcome.done}`);
  };
}

function file(world: World, operation: 'descargar_xml' | 'descargar_pdf'): RequestHandler<{ clave: string }> {
  return async (req: Request<{ clave: string }>, res, next) => {
    const document = world.documents.byKey(req.params.clave);
    const bytes = document && (await download(world, document, operation));
    if (!bytes) return next();
    // The browser's PDF viewer lives inside this answer and needs scripts of its own.
    res.setHeader('Content-Security-Policy', "frame-ancestors 'self'");
    res.type(bytes.type).send(bytes.content);
  };
}

const self = ["'self'"];
const headers: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      ...{
        scriptSrc: self,
        styleSrc: self,
        connectSrc: self,
        imgSrc: self,
        frameSrc: self,
        formAction: self,
      },
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // Forms are checked by where they come from; "no-referrer" would hide that.
  referrerPolicy: { policy: 'same-origin' },
  strictTransportSecurity: false,
});
