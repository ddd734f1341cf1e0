import { mayDo, type Role } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { pageAssets } from '../http/assets.ts';
import { pageHead } from '../http/pages.ts';
import { factorPaths, factorWords } from './factor-words.ts';
import { panelAssets } from './style.ts';
import type { PanelPage, PanelView } from './visit.ts';

export interface Framed {
  /** The path of `publicUrl`: '' or '/facturas'. */
  root: string;
  here: string;
  pages: readonly PanelPage[];
  person: { user: string; role: Role; notice: string | null } | null;
}

export function framed(of: Framed, view: PanelView): Html {
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
<a class="skip" href="#contenido">${frameWords.skip}</a>
${header(of)}
<main id="contenido" tabindex="-1">
${notice(of)}
${view.above}
<h1>${view.title}</h1>
${view.body}
</main>
</body>
</html>
`;
}

function header(of: Framed): Html {
  const { root, person, here } = of;
  return html`<header><div class="bar">
<a class="mark" href="${root}/panel" aria-label="${frameWords.home}"><img src="${pageAssets.path('icono.svg', root)}" alt="" width="28" height="28"><span>facturapuente</span></a>
${person && nav(of, person.role)}
<div class="me">
${
  person &&
  html`<a class="quiet" href="${root}/panel${factorPaths.own}"${here === factorPaths.own && html` aria-current="page"`}>${factorWords.own.nav}</a>
<span class="who"><span class="hidden-text">${frameWords.signedIn(person.user)} </span><span aria-hidden="true">${person.user}</span> <small>${frameWords.roles[person.role]}</small></span>
<form method="post" action="${root}/panel/salir"><button type="submit" class="quiet">${frameWords.signOut}</button></form>`
}
</div></div></header>`;
}

function nav({ root, here, pages }: Framed, role: Role): Html {
  const shown = pages
    .flatMap(({ path, nav: place, role: needed }) =>
      place && mayDo(role, needed) ? [{ path, ...place }] : [],
    )
    .sort((one, other) => one.order - other.order);
  const current = here.split('?', 1)[0] ?? '';
  const isHere = (path: string) => current === path || (path !== '' && current.startsWith(`${path}/`));
  return html`<nav aria-label="${frameWords.menu}"><ul>${shown.map(
    ({ path, label }) =>
      html`<li><a href="${root}/panel${path}"${isHere(path) && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`;
}

/** Focused, because a screen reader does not announce text that is there when the page opens. */
const notice = ({ person }: Framed): Piece =>
  person?.notice != null &&
  html`<p class="notice" role="status" tabindex="-1" autofocus>${person.notice}</p>`;

export const frameWords = {
  skip: 'Ir al contenido',
  menu: 'Páginas del panel',
  home: 'facturapuente, panel',
  signOut: 'Salir',
  signedIn: (user: string) => `Sesión iniciada como ${user}.`,
  roles: {
    read: 'lectura',
    operate: 'operación',
    configure: 'configuración',
  },
  signIn: {
    title: 'Entrar al panel',
    user: 'Usuario',
    password: 'Contraseña',
    submit: 'Entrar',
    wrong: 'El usuario o la contraseña no son correctos.',
    busy: 'Muchas personas están iniciando sesión a la vez. Intente de nuevo en unos segundos.',
    'too-many': 'Hubo demasiados intentos. Espere quince minutos antes de volver a intentarlo.',
    insecure:
      'El panel necesita una dirección https: la de publicUrl es http, y con ella el navegador no guarda la sesión.',
  },
  refused: {
    title: 'No se hizo nada',
    forged:
      'La solicitud no vino de una página abierta de este panel. Vuelva a la página e intente de nuevo.',
    role: 'Su usuario no puede hacer esto. Pídalo a quien administra facturapuente.',
    unread: 'La solicitud no se pudo leer. Vuelva a la página e intente de nuevo.',
    failed: 'Ocurrió un error interno; vuelva a intentarlo en unos minutos.',
  },
  missing: {
    title: 'Esta página no existe',
    message: 'Revise la dirección o vuelva al inicio del panel.',
  },
  back: 'Volver al inicio',
};
