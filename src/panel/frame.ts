import type { Request, Response } from 'express';
import { mayDo, type Person, type Role } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { pageAssets } from '../http/assets.ts';
import type { HttpDeps } from '../http/deps.ts';
import { pageHead, setFilePolicy } from '../http/pages.ts';
import { flawNotice, link } from './components.ts';
import type { SignIn } from './guesses.ts';
import type { People } from './people.ts';
import { type Cookies, entryPaths, type PanelSessions, type SignedIn } from './sessions.ts';
import { panelAssets } from './style.ts';
import type { PanelAnswer, PanelDownload, PanelFile, PanelPage, PanelView } from './visit.ts';

export interface Framed {
  /** The path of `publicUrl`: '' or '/facturas'. */
  root: string;
  at(path: string): string;
  here: string;
  pages: readonly PanelPage[];
  person: { user: string; role: Role; notice: string | null } | null;
}

/** What the pages of signing in share. */
export interface EntryParts {
  at(path: string): string;
  cookies: Cookies;
  people: People;
  sessions: PanelSessions;
  signIn: SignIn;
  framedBy(req: Request, signedIn: SignedIn | null): Framed;
  answers: PanelAnswers;
  enter(req: Request, res: Response, person: Person, by: 'password' | 'code' | 'recovery'): Promise<SignedIn>;
  sendSignIn(req: Request, res: Response): Promise<void>;
}

function framed(of: Framed, view: PanelView): Html {
  const { root } = of;
  const scripts = (view.scripts ?? []).map((name) => pageAssets.path(name, root));
  return html`<!doctype html>
<html lang="es-EC">
${pageHead({
  title: `${view.title} · facturapuente`,
  style: panelAssets.path('panel.css', root),
  scripts: [panelAssets.path('panel.js', root), ...scripts],
  root,
})}
<body${of.person === null && html` class="outside"`}>
<a class="skip" href="#contenido">Ir al contenido</a>
${header(of)}
<main id="contenido" tabindex="-1">
${notice(of)}
${view.back && html`<p>${link(of, ...view.back)}</p>`}
<h1>${view.title}</h1>
${flawNotice(view.flaw)}
${view.body}
</main>
</body>
</html>
`;
}

function header(of: Framed): Html {
  const { root, at, person, here } = of;
  return html`<header><div class="bar">
<a class="mark" href="${at('')}" aria-label="facturapuente, panel"><img src="${pageAssets.path('icono.svg', root)}" alt="" width="28" height="28"><span>facturapuente</span></a>
${person && nav(of, person.role)}
<div class="me">
${
  person &&
  html`<a class="quiet" href="${at(entryPaths.own)}"${here === entryPaths.own && html` aria-current="page"`}>Seguridad</a>
<span class="who"><span class="hidden-text">${words.signedIn(person.user)} </span><span aria-hidden="true">${person.user}</span> <small>${words.roles[person.role]}</small></span>
<form method="post" action="${at(entryPaths.signOut)}"><button type="submit" class="quiet">Salir</button></form>`
}
</div></div></header>`;
}

function nav({ at, here, pages }: Framed, role: Role): Html {
  const shown = pages
    .flatMap(({ path, nav: place, role: needed }) =>
      place && mayDo(role, needed) ? [{ path, ...place }] : [],
    )
    .sort((one, other) => one.order - other.order);
  const current = here.split('?', 1)[0] ?? '';
  const isHere = (path: string) => current === path || (path !== '' && current.startsWith(`${path}/`));
  return html`<nav aria-label="Páginas del panel"><ul>${shown.map(
    ({ path, label }) =>
      html`<li><a href="${at(path)}"${isHere(path) && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`;
}

/** Focused, because a screen reader does not announce text that is there when the page opens. */
const notice = ({ person }: Framed): Piece =>
  person?.notice != null &&
  html`<p class="notice" role="status" tabindex="-1" autofocus>${person.notice}</p>`;

export function openAnswers({ ledger }: Pick<HttpDeps, 'ledger'>) {
  const page = (res: Response, frame: Framed, view: PanelView): void => {
    res
      .status(view.status ?? 200)
      .type('html')
      .send(framed(frame, view).text);
  };

  const refuse = (
    res: Response,
    frame: Framed,
    { status, title = 'No se hizo nada', why }: { status: number; title?: string; why: string },
  ): void =>
    page(res, frame, {
      status,
      title,
      body: html`<p>${why}</p><p>${link(frame, '', 'Volver al inicio')}</p>`,
    });

  return {
    page,
    refuse,
    missing: (res: Response, frame: Framed) => refuse(res, frame, { status: 404, ...words.missing }),
    async send(
      res: Response,
      { frame, signedIn, answer }: { frame: Framed; signedIn: SignedIn; answer: PanelAnswer },
    ): Promise<void> {
      if ('bytes' in answer) return sendFile(res, answer);
      if ('write' in answer) return sendDownload(res, answer);
      const { tokenHash, notice } = signedIn;
      if ('to' in answer) {
        if (answer.message !== undefined) await ledger.sessions.notify(tokenHash, answer.message);
        // A reload sends nothing twice.
        return res.redirect(303, frame.at(answer.to));
      }
      if (notice !== null) await ledger.sessions.notify(tokenHash, null);
      page(res, { ...frame, person: frame.person && { ...frame.person, notice } }, answer);
    },
  };
}
type PanelAnswers = ReturnType<typeof openAnswers>;

function fileHead(res: Response, { type, name }: { type: string; name: string }, how: string): void {
  setFilePolicy(res, type);
  res.set({
    'Content-Disposition': `${how}; filename="${name.replace(/[^\w.-]/g, '-')}"`,
    'Content-Type': type,
  });
}

function sendFile(res: Response, file: PanelFile): void {
  const { bytes, download } = file;
  fileHead(res, file, download ? 'attachment' : 'inline');
  res.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** A failure after the first bytes breaks the connection, which the browser reports. */
async function sendDownload(res: Response, file: PanelDownload): Promise<void> {
  fileHead(res, file, 'attachment');
  await file.write(res).catch((error: unknown) => {
    if (res.headersSent || res.destroyed) return;
    res.removeHeader('Content-Disposition');
    throw error;
  });
}

const words = {
  signedIn: (user: string) => `Sesión iniciada como ${user}.`,
  roles: { read: 'lectura', operate: 'operación', configure: 'configuración' },
  missing: { title: 'Esta página no existe', why: 'Revise la dirección o vuelva al inicio del panel.' },
};
